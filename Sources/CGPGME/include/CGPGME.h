#ifndef HELIX_CGPGME_H
#define HELIX_CGPGME_H

// GnuPG through gpgme, which is opened at run time. A context belongs to one thread.

#include <stddef.h>
#include <stdint.h>

typedef struct helix_gpgme helix_gpgme;

enum { HELIX_GPGME_OPENPGP, HELIX_GPGME_CMS };

/// The results of a signature.
enum {
  HELIX_SIGNATURE_GOOD,
  HELIX_SIGNATURE_BAD,
  HELIX_SIGNATURE_NO_KEY,
  HELIX_SIGNATURE_EXPIRED,
  HELIX_SIGNATURE_KEY_EXPIRED,
  HELIX_SIGNATURE_KEY_REVOKED,
  /// It belongs to the text, but its certificate is not trusted.
  HELIX_SIGNATURE_UNTRUSTED,
  HELIX_SIGNATURE_OTHER
};

/// The validities of a key or a user id, from unknown to ultimate: those of gpgme.
enum {
  HELIX_VALIDITY_UNKNOWN,
  HELIX_VALIDITY_UNDEFINED,
  HELIX_VALIDITY_NEVER,
  HELIX_VALIDITY_MARGINAL,
  HELIX_VALIDITY_FULL,
  HELIX_VALIDITY_ULTIMATE
};

/// Bytes of malloc; the caller frees them.
typedef struct {
  uint8_t *bytes;
  size_t count;
} helix_gpgme_bytes;

/// A signature; the texts are valid until the next operation of its context.
typedef struct {
  int32_t status;
  int32_t validity;
  /// Seconds since 1970; 0 if unknown, or never.
  int64_t created;
  int64_t expires;
  /// The fingerprint of the key, or its id if the key is not known.
  const char *fingerprint;
  /// The reason, if the status is OTHER.
  const char *reason;
} helix_gpgme_signature;

/// What is known of a decryption besides its text.
typedef struct {
  /// Whether it succeeded although nothing proves that the cipher text is unchanged.
  int32_t lacks_integrity;
  int32_t recipient_count;
} helix_gpgme_decryption;

/// A user id of a key, with its key; the texts are valid during the call.
typedef struct {
  const char *fingerprint;
  const char *name;
  const char *email;
  /// The user id as a whole.
  const char *text;
  int64_t created;
  int64_t expires;
  int32_t validity;
  int32_t can_encrypt, can_sign, is_secret, is_expired, is_revoked, is_disabled, is_invalid;
  /// Whether the user id itself is revoked.
  int32_t is_withdrawn;
} helix_gpgme_user;

/// Opens gpgme. Returns 1, or 0 if it is not installed.
int helix_gpgme_load(void);

/// Creates a context. Returns NULL, and the error, if the program of that protocol is not installed.
helix_gpgme *helix_gpgme_open(int protocol, uint32_t *error);
void helix_gpgme_close(helix_gpgme *context);

/// The words for an error; valid until the next call in this thread.
const char *helix_gpgme_words(uint32_t error);
/// Whether an error says: no secret key; the person cancelled; the limit of size was reached; no data.
int helix_gpgme_is_no_secret_key(uint32_t error);
int helix_gpgme_is_cancelled(uint32_t error);
int helix_gpgme_is_too_large(uint32_t error);
int helix_gpgme_is_no_data(uint32_t error);

/// Verifies a detached signature; each function returns 0 or an error.
uint32_t helix_gpgme_verify(
    helix_gpgme *context, const uint8_t *signature, size_t signature_count, const uint8_t *text, size_t count);
/// Verifies a signature with its text in it.
uint32_t helix_gpgme_verify_whole(
    helix_gpgme *context, const uint8_t *bytes, size_t count, size_t limit, helix_gpgme_bytes *text);
/// Decrypts, and verifies the signatures inside.
uint32_t helix_gpgme_decrypt(
    helix_gpgme *context, const uint8_t *bytes, size_t count, size_t limit, helix_gpgme_bytes *text,
    helix_gpgme_decryption *result);
/// The signatures of the last verification or decryption.
int32_t helix_gpgme_signature_count(helix_gpgme *context);
helix_gpgme_signature helix_gpgme_signature_at(helix_gpgme *context, int32_t index);
/// The id of a key that the last decrypted text was encrypted to.
const char *helix_gpgme_recipient_at(helix_gpgme *context, int32_t index);

/// Makes a detached signature.
///
/// `digest` receives the name of the digest, at most 31 characters.
uint32_t helix_gpgme_sign(
    helix_gpgme *context, const char *fingerprint, const uint8_t *text, size_t count,
    helix_gpgme_bytes *signature, char digest[32]);
/// Encrypts to keys by their fingerprints, NULL at the end, and to keys in files by `recipients` (gpgme_op_encrypt_ext); signs
/// if `signer` is not NULL.
uint32_t helix_gpgme_encrypt(
    helix_gpgme *context, const char *recipients, const char *const *fingerprints, const char *signer, int is_hidden,
    const uint8_t *text, size_t count, helix_gpgme_bytes *cipher);

/// Passes each user id of the keys that match to `sink`; all keys if `pattern` is NULL.
uint32_t helix_gpgme_keys(
    helix_gpgme *context, const char *pattern, int is_secret, void *target,
    void (*sink)(void *target, const helix_gpgme_user *user));
/// Imports keys, and passes their fingerprints to `sink`; `is_new` if the key was not known. `filter` is one of gpg's
/// --import-filter, or NULL.
uint32_t helix_gpgme_import(
    helix_gpgme *context, const uint8_t *bytes, size_t count, const char *filter, void *target,
    void (*sink)(void *target, const char *fingerprint, int is_new));
/// Passes the user ids of the keys in bytes to `sink`, without importing them.
uint32_t helix_gpgme_look(
    helix_gpgme *context, const uint8_t *bytes, size_t count, void *target,
    void (*sink)(void *target, const helix_gpgme_user *user));
/// Exports a public key; with as few signatures as possible if `is_minimal`.
uint32_t helix_gpgme_export(
    helix_gpgme *context, const char *fingerprint, int is_minimal, int is_armored, helix_gpgme_bytes *key);

#endif
