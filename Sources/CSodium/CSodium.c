#include "CSodium.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sodium.h>

_Static_assert(HELIX_PASSWORD_HASH_SIZE >= crypto_pwhash_STRBYTES, "the room for a hash is too small");
_Static_assert(HELIX_SIGNING_SEED_SIZE == crypto_sign_SEEDBYTES && HELIX_SIGNING_SECRET_SIZE == crypto_sign_SECRETKEYBYTES &&
                   HELIX_SIGNING_KEY_SIZE == crypto_sign_PUBLICKEYBYTES && HELIX_SIGNATURE_SIZE == crypto_sign_BYTES,
               "the sizes of keys and signatures differ");

static __typeof__(sodium_init) *start;
static __typeof__(crypto_pwhash_str) *make;
static __typeof__(crypto_pwhash_str_verify) *verify;
static __typeof__(crypto_sign_seed_keypair) *make_keys;
static __typeof__(crypto_sign_detached) *sign;
static __typeof__(crypto_sign_verify_detached) *check;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_ready = 0;

// The memory that libsodium advises for interactive use, and one pass more: a tenth of a second.
enum { PASSES = 3, MEMORY = 64 << 20 };

static void load(void) {
  void *library = dlopen("libsodium.so.23", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libsodium.so.26", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  start = dlsym(library, "sodium_init");
  make = dlsym(library, "crypto_pwhash_str");
  verify = dlsym(library, "crypto_pwhash_str_verify");
  make_keys = dlsym(library, "crypto_sign_seed_keypair");
  sign = dlsym(library, "crypto_sign_detached");
  check = dlsym(library, "crypto_sign_verify_detached");
  is_ready = start && make && verify && make_keys && sign && check && start() >= 0;
}

static int is_loaded(void) {
  pthread_once(&once, load);
  return is_ready;
}

int helix_password_hash(char hash[HELIX_PASSWORD_HASH_SIZE], const char *password, size_t count) {
  return is_loaded() ? make(hash, password, count, PASSES, MEMORY) == 0 : -1;
}

int helix_password_is_right(const char *hash, const char *password, size_t count) {
  return is_loaded() ? verify(hash, password, count) == 0 : -1;
}

int helix_signing_keys(uint8_t key[HELIX_SIGNING_KEY_SIZE], uint8_t secret[HELIX_SIGNING_SECRET_SIZE],
                       const uint8_t seed[HELIX_SIGNING_SEED_SIZE]) {
  return is_loaded() ? make_keys(key, secret, seed) == 0 : -1;
}

int helix_sign(uint8_t signature[HELIX_SIGNATURE_SIZE], const uint8_t *message, size_t count,
               const uint8_t secret[HELIX_SIGNING_SECRET_SIZE]) {
  return is_loaded() ? sign(signature, NULL, message, count, secret) == 0 : -1;
}

int helix_signature_is_valid(const uint8_t signature[HELIX_SIGNATURE_SIZE], const uint8_t *message, size_t count,
                             const uint8_t key[HELIX_SIGNING_KEY_SIZE]) {
  return is_loaded() ? check(signature, message, count, key) == 0 : -1;
}
