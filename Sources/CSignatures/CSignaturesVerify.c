// The functions of keys need less code than OpenSSL 3's providers; it calls them deprecated, and keeps them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CSignaturesVerify.h"

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/objects.h>
#include <openssl/rsa.h>

int helix_rsa_verify(
    const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent, size_t exponent_count,
    const uint8_t digest[32], const uint8_t *signature, size_t signature_count) {
  if (modulus_count < 256 || modulus_count > 2048 || exponent_count > 8) return 0;
  RSA *key = RSA_new();
  BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL), *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
  if (!key || !n || !e || !RSA_set0_key(key, n, e, NULL)) {
    BN_free(n);
    BN_free(e);
    RSA_free(key);
    return 0;
  }
  int is_valid = RSA_bits(key) >= 2048 && BN_is_odd(e) && BN_num_bits(e) > 1 &&
                 RSA_verify(NID_sha256, digest, 32, signature, (unsigned)signature_count, key) == 1;
  RSA_free(key);
  return is_valid;
}

int helix_p256_verify(const uint8_t point[65], const uint8_t digest[32], const uint8_t signature[64]) {
  EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  const EC_GROUP *group = key ? EC_KEY_get0_group(key) : NULL;
  EC_POINT *place = group ? EC_POINT_new(group) : NULL;
  ECDSA_SIG *given = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
  int is_valid = 0;
  if (given && r && s && ECDSA_SIG_set0(given, r, s)) {
    r = s = NULL;
    // The conversion refuses a point that is not on the curve.
    is_valid = place && EC_POINT_oct2point(group, place, point, 65, NULL) && EC_KEY_set_public_key(key, place) &&
               ECDSA_do_verify(digest, 32, given, key) == 1;
  }
  BN_free(r);
  BN_free(s);
  ECDSA_SIG_free(given);
  EC_POINT_free(place);
  EC_KEY_free(key);
  return is_valid;
}
