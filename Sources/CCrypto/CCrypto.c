// The functions that need no memory and no provider; OpenSSL 3 calls them deprecated, and keeps them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CCrypto.h"

#include <openssl/sha.h>

_Static_assert(sizeof(helix_sha256) >= sizeof(SHA256_CTX), "the state is too small");

void helix_sha256_begin(helix_sha256 *state) { SHA256_Init((SHA256_CTX *)state); }

void helix_sha256_add(helix_sha256 *state, const void *bytes, size_t count) {
  SHA256_Update((SHA256_CTX *)state, bytes, count);
}

void helix_sha256_end(helix_sha256 *state, uint8_t digest[HELIX_SHA256_SIZE]) {
  SHA256_Final(digest, (SHA256_CTX *)state);
}

void helix_sha1(const void *bytes, size_t count, uint8_t digest[HELIX_SHA1_SIZE]) {
  SHA_CTX state;
  SHA1_Init(&state);
  SHA1_Update(&state, bytes, count);
  SHA1_Final(digest, &state);
}
