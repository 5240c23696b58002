#ifndef HELIX_CSIGNATURES_VERIFY_H
#define HELIX_CSIGNATURES_VERIFY_H

#include <stddef.h>
#include <stdint.h>

/// Signatures by keys of others, of OpenSSL's libcrypto. Both functions return 1 for a valid signature of a SHA-256, and 0 for
/// any other, also if the key is none.

/// RSA with PKCS #1 v1.5 (RS256, RFC 7518 §3.3): modulus and exponent are big-endian. Keys of less than 2048 bits are refused.
int helix_rsa_verify(
    const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent, size_t exponent_count,
    const uint8_t digest[32], const uint8_t *signature, size_t signature_count);
/// The curve P-256 (ES256, RFC 7518 §3.4): the key is an uncompressed point of 65 bytes, the signature r and s.
int helix_p256_verify(const uint8_t point[65], const uint8_t digest[32], const uint8_t signature[64]);

#endif
