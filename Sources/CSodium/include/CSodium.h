#ifndef HELIX_CSODIUM_H
#define HELIX_CSODIUM_H

#include <stddef.h>
#include <stdint.h>

/// libsodium's password hashing (Argon2id) and signatures (Ed25519), opened when the first is needed. All functions return 1 for
/// success, 0 for failure, and -1 if libsodium is not installed.

enum {
  /// The room that a hash of a password needs, the zero at its end included.
  HELIX_PASSWORD_HASH_SIZE = 128,
  HELIX_SIGNING_SEED_SIZE = 32,
  HELIX_SIGNING_SECRET_SIZE = 64,
  HELIX_SIGNING_KEY_SIZE = 32,
  HELIX_SIGNATURE_SIZE = 64,
};

/// Makes the hash of a password, with its salt and parameters in it. Fails without enough memory.
int helix_password_hash(char hash[HELIX_PASSWORD_HASH_SIZE], const char *password, size_t count);

/// Whether a password is the one of a hash.
int helix_password_is_right(const char *hash, const char *password, size_t count);

/// Makes the key pair of a seed (RFC 8032, 5.1.5).
int helix_signing_keys(uint8_t key[HELIX_SIGNING_KEY_SIZE], uint8_t secret[HELIX_SIGNING_SECRET_SIZE],
                       const uint8_t seed[HELIX_SIGNING_SEED_SIZE]);

/// Signs a message (RFC 8032, 5.1.6).
int helix_sign(uint8_t signature[HELIX_SIGNATURE_SIZE], const uint8_t *message, size_t count,
               const uint8_t secret[HELIX_SIGNING_SECRET_SIZE]);

/// Whether a signature of a message is by the owner of a key (RFC 8032, 5.1.7).
int helix_signature_is_valid(const uint8_t signature[HELIX_SIGNATURE_SIZE], const uint8_t *message, size_t count,
                             const uint8_t key[HELIX_SIGNING_KEY_SIZE]);

#endif
