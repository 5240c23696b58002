#ifndef HELIX_CSIGNATURES_CURVE_H
#define HELIX_CSIGNATURES_CURVE_H

#include <stddef.h>
#include <stdint.h>

/// The curve P-256 and AES-128-GCM of OpenSSL's libcrypto, for the signatures and messages of push services. All functions
/// return 1, or 0 if the input is no key, point or text.

enum { HELIX_P256_SCALAR_SIZE = 32, HELIX_P256_POINT_SIZE = 65, HELIX_P256_SIGNATURE_SIZE = 64, HELIX_GCM_TAG_SIZE = 16 };

/// The public key of a secret one, uncompressed (SEC 1 §2.3.3).
int helix_p256_public(const uint8_t scalar[HELIX_P256_SCALAR_SIZE], uint8_t point[HELIX_P256_POINT_SIZE]);
/// The secret that two keys have in common (ECDH): the x coordinate.
int helix_p256_agree(
    const uint8_t scalar[HELIX_P256_SCALAR_SIZE], const uint8_t point[HELIX_P256_POINT_SIZE], uint8_t secret[32]);
/// Signs a SHA-256; the signature is r and s (RFC 7518 §3.4).
int helix_p256_sign(
    const uint8_t scalar[HELIX_P256_SCALAR_SIZE], const uint8_t digest[32],
    uint8_t signature[HELIX_P256_SIGNATURE_SIZE]);
/// Reads a secret key in PEM, PKCS#8 or SEC 1, without a password.
int helix_p256_read_pem(const char *text, size_t count, uint8_t scalar[HELIX_P256_SCALAR_SIZE]);

/// Encrypts a text; `sealed` has room for it and the tag behind it.
int helix_aes128gcm_seal(
    const uint8_t key[16], const uint8_t nonce[12], const uint8_t *text, size_t count, uint8_t *sealed);

#endif
