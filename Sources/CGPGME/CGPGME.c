#include "CGPGME.h"

#include <dlfcn.h>
#include <errno.h>
#include <gpgme.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The functions that are used, with the signatures of the header; the library is opened when it is first needed.
#define FUNCTIONS(F) \
  F(gpgme_check_version_internal) \
  F(gpgme_engine_check_version) \
  F(gpgme_new) \
  F(gpgme_release) \
  F(gpgme_set_protocol) \
  F(gpgme_set_armor) \
  F(gpgme_set_offline) \
  F(gpgme_set_ctx_flag) \
  F(gpgme_set_pinentry_mode) \
  F(gpgme_set_keylist_mode) \
  F(gpgme_strerror_r) \
  F(gpgme_data_new_from_mem) \
  F(gpgme_data_new_from_cbs) \
  F(gpgme_data_release) \
  F(gpgme_op_verify) \
  F(gpgme_op_verify_result) \
  F(gpgme_op_decrypt_ext) \
  F(gpgme_op_decrypt_result) \
  F(gpgme_op_sign) \
  F(gpgme_op_sign_result) \
  F(gpgme_op_encrypt_ext) \
  F(gpgme_op_encrypt_sign_ext) \
  F(gpgme_signers_clear) \
  F(gpgme_signers_add) \
  F(gpgme_get_key) \
  F(gpgme_key_unref) \
  F(gpgme_op_keylist_start) \
  F(gpgme_op_keylist_next) \
  F(gpgme_op_keylist_from_data_start) \
  F(gpgme_op_import) \
  F(gpgme_op_import_result) \
  F(gpgme_op_export) \
  F(gpgme_hash_algo_name)

#define DECLARE(name) static __typeof__(name) *helix_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void load(void) {
  void *library = dlopen("libgpgme.so.11", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                      \
  helix_##name = dlsym(library, #name); \
  if (!helix_##name) return;
  FUNCTIONS(FIND)
  // The program that asks for passphrases needs to know the terminal.
  if (!getenv("GPG_TTY") && isatty(STDIN_FILENO)) {
    char name[256];
    if (ttyname_r(STDIN_FILENO, name, sizeof name) == 0) setenv("GPG_TTY", name, 0);
  }
  if (!helix_gpgme_check_version_internal(NULL, offsetof(struct _gpgme_signature, validity))) return;
  loaded = 1;
}

int helix_gpgme_load(void) {
  pthread_once(&once, load);
  return loaded;
}

struct helix_gpgme {
  gpgme_ctx_t context;
  int protocol;
};

helix_gpgme *helix_gpgme_open(int protocol, uint32_t *error) {
  *error = GPG_ERR_NOT_IMPLEMENTED;
  if (!helix_gpgme_load()) return NULL;
  gpgme_protocol_t wanted = protocol == HELIX_GPGME_CMS ? GPGME_PROTOCOL_CMS : GPGME_PROTOCOL_OpenPGP;
  *error = helix_gpgme_engine_check_version(wanted);
  if (*error) return NULL;
  helix_gpgme *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->protocol = protocol;
  *error = helix_gpgme_new(&made->context);
  if (!*error) *error = helix_gpgme_set_protocol(made->context, wanted);
  if (*error) {
    helix_gpgme_close(made);
    return NULL;
  }
  // Reading mail does not ask the network: neither for keys nor for lists of revocation.
  helix_gpgme_set_offline(made->context, 1);
  // Where nobody can be asked for a passphrase, GnuPG would wait for an answer. What its agent remembers is used all the same.
  if (!getenv("GPG_TTY") && !getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) {
    helix_gpgme_set_pinentry_mode(made->context, GPGME_PINENTRY_MODE_ERROR);
  }
  return made;
}

void helix_gpgme_close(helix_gpgme *context) {
  if (!context) return;
  if (context->context) helix_gpgme_release(context->context);
  free(context);
}

const char *helix_gpgme_words(uint32_t error) {
  static _Thread_local char words[256];
  if (!helix_gpgme_load()) return "gpgme is not installed";
  helix_gpgme_strerror_r(error, words, sizeof words);
  words[sizeof words - 1] = 0;
  return words;
}

static gpg_err_code_t code(uint32_t error) { return gpgme_err_code(error); }

int helix_gpgme_is_no_secret_key(uint32_t error) { return code(error) == GPG_ERR_NO_SECKEY; }
int helix_gpgme_is_cancelled(uint32_t error) {
  return code(error) == GPG_ERR_CANCELED || code(error) == GPG_ERR_FULLY_CANCELED;
}
int helix_gpgme_is_too_large(uint32_t error) { return code(error) == GPG_ERR_EFBIG; }
int helix_gpgme_is_no_data(uint32_t error) { return code(error) == GPG_ERR_NO_DATA; }

// A result that grows up to a limit: a few bytes may unpack to more than the memory.
struct output {
  helix_gpgme_bytes *bytes;
  size_t capacity;
  size_t limit;
  int is_full;
};

static ssize_t append(void *handle, const void *piece, size_t count) {
  struct output *output = handle;
  if (count > output->limit - output->bytes->count) {
    output->is_full = 1;
    errno = EFBIG;
    return -1;
  }
  size_t wanted = output->bytes->count + count;
  if (wanted > output->capacity) {
    size_t capacity = output->capacity ? output->capacity * 2 : 65536;
    if (capacity < wanted) capacity = wanted;
    uint8_t *grown = realloc(output->bytes->bytes, capacity);
    if (!grown) {
      errno = ENOMEM;
      return -1;
    }
    output->bytes->bytes = grown;
    output->capacity = capacity;
  }
  memcpy(output->bytes->bytes + output->bytes->count, piece, count);
  output->bytes->count = wanted;
  return (ssize_t)count;
}

static struct gpgme_data_cbs callbacks = {NULL, append, NULL, NULL};

// Runs an operation with its input and output as data objects.
#define LIMIT_OF_RESULTS ((size_t)1 << 30)

static gpgme_error_t begin(
    const uint8_t *bytes, size_t count, gpgme_data_t *input, struct output *output, gpgme_data_t *result) {
  output->bytes->bytes = NULL;
  output->bytes->count = 0;
  gpgme_error_t error = helix_gpgme_data_new_from_mem(input, (const char *)bytes, count, 0);
  if (error) return error;
  error = helix_gpgme_data_new_from_cbs(result, &callbacks, output);
  if (error) helix_gpgme_data_release(*input);
  return error;
}

static gpgme_error_t end(gpgme_error_t error, gpgme_data_t input, struct output *output, gpgme_data_t result) {
  helix_gpgme_data_release(input);
  helix_gpgme_data_release(result);
  if (output->is_full) error = gpgme_error(GPG_ERR_EFBIG);
  if (error) {
    free(output->bytes->bytes);
    output->bytes->bytes = NULL;
    output->bytes->count = 0;
  }
  return error;
}

// A message of a stranger must not make gpgsm ask whether its root is to be trusted for ever: requests from elsewhere cannot.
static void forbid_questions(helix_gpgme *context, int forbids) {
  if (context->protocol != HELIX_GPGME_CMS) return;
  helix_gpgme_set_ctx_flag(context->context, "request-origin", forbids ? "remote" : "none");
}

uint32_t helix_gpgme_verify(
    helix_gpgme *context, const uint8_t *signature, size_t signature_count, const uint8_t *text, size_t count) {
  gpgme_data_t proof, content;
  gpgme_error_t error = helix_gpgme_data_new_from_mem(&proof, (const char *)signature, signature_count, 0);
  if (error) return error;
  error = helix_gpgme_data_new_from_mem(&content, (const char *)text, count, 0);
  if (!error) {
    forbid_questions(context, 1);
    error = helix_gpgme_op_verify(context->context, proof, content, NULL);
    forbid_questions(context, 0);
    helix_gpgme_data_release(content);
  }
  helix_gpgme_data_release(proof);
  return error;
}

uint32_t helix_gpgme_verify_whole(
    helix_gpgme *context, const uint8_t *bytes, size_t count, size_t limit, helix_gpgme_bytes *text) {
  struct output output = {text, 0, limit, 0};
  gpgme_data_t input, result;
  gpgme_error_t error = begin(bytes, count, &input, &output, &result);
  if (error) return error;
  forbid_questions(context, 1);
  error = helix_gpgme_op_verify(context->context, input, NULL, result);
  forbid_questions(context, 0);
  return end(error, input, &output, result);
}

uint32_t helix_gpgme_decrypt(
    helix_gpgme *context, const uint8_t *bytes, size_t count, size_t limit, helix_gpgme_bytes *text,
    helix_gpgme_decryption *result) {
  struct output output = {text, 0, limit, 0};
  gpgme_data_t input, plain;
  gpgme_error_t error = begin(bytes, count, &input, &output, &plain);
  if (error) return error;
  error = helix_gpgme_op_decrypt_ext(
      context->context, context->protocol == HELIX_GPGME_OPENPGP ? GPGME_DECRYPT_VERIFY : 0, input, plain);
  result->lacks_integrity = 0;
  result->recipient_count = 0;
  gpgme_decrypt_result_t facts = helix_gpgme_op_decrypt_result(context->context);
  if (facts) {
    result->lacks_integrity = facts->legacy_cipher_nomdc != 0;
    for (gpgme_recipient_t one = facts->recipients; one; one = one->next) result->recipient_count++;
    if (!error && facts->unsupported_algorithm) error = gpgme_error(GPG_ERR_UNSUPPORTED_ALGORITHM);
  }
  return end(error, input, &output, plain);
}

const char *helix_gpgme_recipient_at(helix_gpgme *context, int32_t index) {
  gpgme_decrypt_result_t facts = helix_gpgme_op_decrypt_result(context->context);
  gpgme_recipient_t one = facts ? facts->recipients : NULL;
  while (one && index-- > 0) one = one->next;
  return one && one->keyid ? one->keyid : "";
}

int32_t helix_gpgme_signature_count(helix_gpgme *context) {
  gpgme_verify_result_t facts = helix_gpgme_op_verify_result(context->context);
  int32_t count = 0;
  for (gpgme_signature_t one = facts ? facts->signatures : NULL; one; one = one->next) count++;
  return count;
}

static int32_t status(const struct _gpgme_signature *one) {
  switch (gpgme_err_code(one->status)) {
    case GPG_ERR_NO_ERROR:
      // The signature is right; the certificate may not be.
      if (one->summary & GPGME_SIGSUM_KEY_REVOKED) return HELIX_SIGNATURE_KEY_REVOKED;
      if (one->summary & GPGME_SIGSUM_KEY_EXPIRED) return HELIX_SIGNATURE_KEY_EXPIRED;
      return HELIX_SIGNATURE_GOOD;
    case GPG_ERR_BAD_SIGNATURE: return HELIX_SIGNATURE_BAD;
    case GPG_ERR_NO_PUBKEY: return HELIX_SIGNATURE_NO_KEY;
    case GPG_ERR_SIG_EXPIRED: return HELIX_SIGNATURE_EXPIRED;
    case GPG_ERR_KEY_EXPIRED: return HELIX_SIGNATURE_KEY_EXPIRED;
    case GPG_ERR_CERT_REVOKED: return HELIX_SIGNATURE_KEY_REVOKED;
    default: return HELIX_SIGNATURE_OTHER;
  }
}

helix_gpgme_signature helix_gpgme_signature_at(helix_gpgme *context, int32_t index) {
  helix_gpgme_signature found = {HELIX_SIGNATURE_OTHER, 0, 0, 0, "", ""};
  gpgme_verify_result_t facts = helix_gpgme_op_verify_result(context->context);
  gpgme_signature_t one = facts ? facts->signatures : NULL;
  while (one && index-- > 0) one = one->next;
  if (!one) return found;
  found.status = status(one);
  found.validity = one->validity;
  // A certificate is nothing without its chain; a key of OpenPGP is, until somebody certifies it, just a key.
  if (context->protocol == HELIX_GPGME_CMS && found.status == HELIX_SIGNATURE_GOOD &&
      one->validity < GPGME_VALIDITY_FULL) {
    found.status = HELIX_SIGNATURE_UNTRUSTED;
  }
  found.created = (int64_t)one->timestamp;
  found.expires = (int64_t)one->exp_timestamp;
  found.fingerprint = one->fpr ? one->fpr : "";
  gpgme_error_t reason = one->status ? one->status : one->validity_reason;
  found.reason = reason ? helix_gpgme_words(reason) : "";
  return found;
}

static gpgme_error_t set_signer(helix_gpgme *context, const char *fingerprint) {
  helix_gpgme_signers_clear(context->context);
  gpgme_key_t key = NULL;
  gpgme_error_t error = helix_gpgme_get_key(context->context, fingerprint, &key, 1);
  if (error) return error;
  error = helix_gpgme_signers_add(context->context, key);
  helix_gpgme_key_unref(key);
  return error;
}

uint32_t helix_gpgme_sign(
    helix_gpgme *context, const char *fingerprint, const uint8_t *text, size_t count,
    helix_gpgme_bytes *signature, char digest[32]) {
  digest[0] = 0;
  gpgme_error_t error = set_signer(context, fingerprint);
  if (error) return error;
  helix_gpgme_set_armor(context->context, context->protocol == HELIX_GPGME_OPENPGP);
  struct output output = {signature, 0, LIMIT_OF_RESULTS, 0};
  gpgme_data_t input, result;
  error = begin(text, count, &input, &output, &result);
  if (error) return error;
  error = helix_gpgme_op_sign(context->context, input, result, GPGME_SIG_MODE_DETACH);
  gpgme_sign_result_t facts = error ? NULL : helix_gpgme_op_sign_result(context->context);
  if (facts && facts->signatures) {
    const char *name = helix_gpgme_hash_algo_name(facts->signatures->hash_algo);
    if (name) snprintf(digest, 32, "%s", name);
  } else if (!error) {
    error = gpgme_error(GPG_ERR_UNUSABLE_SECKEY);
  }
  return end(error, input, &output, result);
}

enum { MAX_RECIPIENTS = 1000 };

uint32_t helix_gpgme_encrypt(
    helix_gpgme *context, const char *recipients, const char *const *fingerprints, const char *signer, int is_hidden,
    const uint8_t *text, size_t count, helix_gpgme_bytes *cipher) {
  gpgme_error_t error = signer ? set_signer(context, signer) : 0;
  if (error) return error;
  helix_gpgme_set_armor(context->context, context->protocol == HELIX_GPGME_OPENPGP);
  gpgme_key_t keys[MAX_RECIPIENTS + 1] = {NULL};
  int known = 0;
  for (; fingerprints && fingerprints[known] && known < MAX_RECIPIENTS && !error; known++) {
    error = helix_gpgme_get_key(context->context, fingerprints[known], &keys[known], 0);
  }
  struct output output = {cipher, 0, LIMIT_OF_RESULTS, 0};
  gpgme_data_t input, result;
  if (!error) error = begin(text, count, &input, &output, &result);
  if (!error) {
    // The keys were chosen one by one, and the person was told of those that nobody has certified.
    gpgme_encrypt_flags_t flags = GPGME_ENCRYPT_ALWAYS_TRUST;
    if (is_hidden) flags |= GPGME_ENCRYPT_THROW_KEYIDS;
    gpgme_key_t *chosen = recipients ? NULL : keys;
    error = signer
        ? helix_gpgme_op_encrypt_sign_ext(context->context, chosen, recipients, flags, input, result)
        : helix_gpgme_op_encrypt_ext(context->context, chosen, recipients, flags, input, result);
    error = end(error, input, &output, result);
  }
  for (int index = 0; index < known; index++) if (keys[index]) helix_gpgme_key_unref(keys[index]);
  return error;
}

static void pass(gpgme_key_t key, void *target, void (*sink)(void *, const helix_gpgme_user *)) {
  for (gpgme_user_id_t one = key->uids; one; one = one->next) {
    helix_gpgme_user user = {0};
    user.fingerprint = key->fpr ? key->fpr : key->subkeys && key->subkeys->fpr ? key->subkeys->fpr : "";
    user.name = one->name ? one->name : "";
    user.email = one->email ? one->email : "";
    user.text = one->uid ? one->uid : "";
    if (key->subkeys) {
      user.created = key->subkeys->timestamp;
      user.expires = key->subkeys->expires;
    }
    user.validity = one->validity;
    user.can_encrypt = key->can_encrypt;
    user.can_sign = key->can_sign;
    user.is_secret = key->secret;
    user.is_expired = key->expired;
    user.is_revoked = key->revoked;
    user.is_disabled = key->disabled;
    user.is_invalid = key->invalid;
    user.is_withdrawn = one->revoked || one->invalid;
    sink(target, &user);
  }
}

static gpgme_error_t pass_all(helix_gpgme *context, void *target, void (*sink)(void *, const helix_gpgme_user *)) {
  gpgme_key_t key;
  gpgme_error_t error;
  while (!(error = helix_gpgme_op_keylist_next(context->context, &key))) {
    pass(key, target, sink);
    helix_gpgme_key_unref(key);
  }
  return gpgme_err_code(error) == GPG_ERR_EOF ? 0 : error;
}

uint32_t helix_gpgme_keys(
    helix_gpgme *context, const char *pattern, int is_secret, void *target,
    void (*sink)(void *target, const helix_gpgme_user *user)) {
  gpgme_keylist_mode_t mode = GPGME_KEYLIST_MODE_LOCAL;
  // A certificate is valid only if its chain is.
  if (context->protocol == HELIX_GPGME_CMS) mode |= GPGME_KEYLIST_MODE_VALIDATE;
  helix_gpgme_set_keylist_mode(context->context, mode);
  gpgme_error_t error = helix_gpgme_op_keylist_start(context->context, pattern, is_secret);
  return error ? error : pass_all(context, target, sink);
}

uint32_t helix_gpgme_look(
    helix_gpgme *context, const uint8_t *bytes, size_t count, void *target,
    void (*sink)(void *target, const helix_gpgme_user *user)) {
  gpgme_data_t data;
  gpgme_error_t error = helix_gpgme_data_new_from_mem(&data, (const char *)bytes, count, 0);
  if (error) return error;
  error = helix_gpgme_op_keylist_from_data_start(context->context, data, 0);
  if (!error) error = pass_all(context, target, sink);
  helix_gpgme_data_release(data);
  return error;
}

uint32_t helix_gpgme_import(
    helix_gpgme *context, const uint8_t *bytes, size_t count, const char *filter, void *target,
    void (*sink)(void *target, const char *fingerprint, int is_new)) {
  gpgme_data_t data;
  // An older gpgme has no filters, and fails; without one, a key would bring the addresses of others.
  gpgme_error_t error = filter ? helix_gpgme_set_ctx_flag(context->context, "import-filter", filter) : 0;
  if (!error) error = helix_gpgme_data_new_from_mem(&data, (const char *)bytes, count, 0);
  if (error) return error;
  error = helix_gpgme_op_import(context->context, data);
  gpgme_import_result_t facts = error ? NULL : helix_gpgme_op_import_result(context->context);
  for (gpgme_import_status_t one = facts ? facts->imports : NULL; one; one = one->next) {
    if (!one->result && one->fpr) sink(target, one->fpr, (one->status & GPGME_IMPORT_NEW) != 0);
  }
  helix_gpgme_data_release(data);
  return error;
}

uint32_t helix_gpgme_export(
    helix_gpgme *context, const char *fingerprint, int is_minimal, int is_armored, helix_gpgme_bytes *key) {
  helix_gpgme_set_armor(context->context, is_armored);
  struct output output = {key, 0, LIMIT_OF_RESULTS, 0};
  gpgme_data_t input, result;
  gpgme_error_t error = begin((const uint8_t *)"", 0, &input, &output, &result);
  if (error) return error;
  error = helix_gpgme_op_export(context->context, fingerprint, is_minimal ? GPGME_EXPORT_MODE_MINIMAL : 0, result);
  return end(error, input, &output, result);
}
