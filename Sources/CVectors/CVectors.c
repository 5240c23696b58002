#include "CVectors.h"

#if defined(__x86_64__)
#include <immintrin.h>

static int32_t sum_of(__m128i four) {
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
    return _mm_cvtsi128_si32(four);
}

__attribute__((target("avx2"))) static int32_t wide_product(const int8_t *left, const int8_t *right, size_t count) {
    __m256i sums = _mm256_setzero_si256();
    for (size_t place = 0; place < count; place += 16) {
        __m256i first = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(left + place)));
        __m256i second = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(right + place)));
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(first, second));
    }
    return sum_of(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)));
}

static int32_t narrow_product(const int8_t *left, const int8_t *right, size_t count) {
    __m128i sums = _mm_setzero_si128();
    for (size_t place = 0; place < count; place += 16) {
        __m128i first = _mm_loadu_si128((const __m128i *)(left + place));
        __m128i second = _mm_loadu_si128((const __m128i *)(right + place));
        // Each number as the upper half of 16 bits, which a shift extends with its sign.
        __m128i low = _mm_madd_epi16(
            _mm_srai_epi16(_mm_unpacklo_epi8(first, first), 8), _mm_srai_epi16(_mm_unpacklo_epi8(second, second), 8));
        __m128i high = _mm_madd_epi16(
            _mm_srai_epi16(_mm_unpackhi_epi8(first, first), 8), _mm_srai_epi16(_mm_unpackhi_epi8(second, second), 8));
        sums = _mm_add_epi32(sums, _mm_add_epi32(low, high));
    }
    return sum_of(sums);
}
#endif

int32_t helix_vectors_product(const int8_t *left, const int8_t *right, size_t count) {
    int32_t sum = 0;
    size_t place = 0;
#if defined(__x86_64__)
    place = count - count % 16;
    sum = __builtin_cpu_supports("avx2") ? wide_product(left, right, place) : narrow_product(left, right, place);
#endif
    for (; place < count; place++) sum += (int32_t)left[place] * right[place];
    return sum;
}
