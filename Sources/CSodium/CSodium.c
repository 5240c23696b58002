#include "CSodium.h"

#include <dlfcn.h>
#include <pthread.h>

static int (*start)(void);
static int (*make)(char *, const char *, unsigned long long, unsigned long long, size_t);
static int (*verify)(const char *, const char *, unsigned long long);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_ready = 0;

// libsodium's own advice for sign-ins that are not rare: 64 MB, and so many passes that it takes a tenth of a second.
enum { PASSES = 3, MEMORY = 64 << 20 };

static void load(void) {
  void *library = dlopen("libsodium.so.23", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libsodium.so.26", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  *(void **)&start = dlsym(library, "sodium_init");
  *(void **)&make = dlsym(library, "crypto_pwhash_str");
  *(void **)&verify = dlsym(library, "crypto_pwhash_str_verify");
  is_ready = start && make && verify && start() >= 0;
}

int helix_password_hash(char hash[HELIX_PASSWORD_HASH_SIZE], const char *password, size_t count) {
  pthread_once(&once, load);
  if (!is_ready) return -1;
  return make(hash, password, count, PASSES, MEMORY) == 0;
}

int helix_password_is_right(const char *hash, const char *password, size_t count) {
  pthread_once(&once, load);
  if (!is_ready) return -1;
  return verify(hash, password, count) == 0;
}
