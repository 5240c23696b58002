#ifndef HELIX_CCRYPTO_H
#define HELIX_CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// SHA-256 and SHA-1 of OpenSSL's libcrypto, linked in: they use the processor's own instructions, and hashes are made by many
/// commands, which a library opened at run time would delay.

enum { HELIX_SHA256_SIZE = 32, HELIX_SHA1_SIZE = 20 };

/// The state of a SHA-256 that is being computed.
typedef struct {
  uint64_t words[14];
} helix_sha256;

void helix_sha256_begin(helix_sha256 *state);
void helix_sha256_add(helix_sha256 *state, const void *bytes, size_t count);
void helix_sha256_end(helix_sha256 *state, uint8_t digest[HELIX_SHA256_SIZE]);

void helix_sha1(const void *bytes, size_t count, uint8_t digest[HELIX_SHA1_SIZE]);


#endif
