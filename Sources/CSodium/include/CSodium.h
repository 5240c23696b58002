#ifndef HELIX_CSODIUM_H
#define HELIX_CSODIUM_H

#include <stddef.h>

/// libsodium's password hashing (Argon2id), opened when the first password is made or checked.

/// The room that a hash needs, the zero at its end included.
enum { HELIX_PASSWORD_HASH_SIZE = 128 };

/// Makes the hash of a password, with its salt and parameters in it. Returns 1; 0 if there is not enough memory; -1 if
/// libsodium is not installed.
int helix_password_hash(char hash[HELIX_PASSWORD_HASH_SIZE], const char *password, size_t count);

/// Whether a password is the one of a hash. Returns 1 or 0; -1 if libsodium is not installed.
int helix_password_is_right(const char *hash, const char *password, size_t count);

#endif
