#include "CIdn2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static int (*lookup)(const uint8_t *, uint8_t **, int);
static void (*release)(void *);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libidn2.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  *(void **)&release = dlsym(library, "idn2_free");
  *(void **)&lookup = dlsym(library, "idn2_lookup_u8");
}

char *helix_idn_ascii(const char *domain, int *is_missing) {
  pthread_once(&once, load);
  *is_missing = lookup == NULL || release == NULL;
  if (*is_missing) return NULL;
  uint8_t *found = NULL;
  // IDN2_NFC_INPUT and IDN2_NONTRANSITIONAL.
  if (lookup((const uint8_t *)domain, &found, 1 | 8) != 0 || !found) return NULL;
  char *copy = strdup((const char *)found);
  release(found);
  return copy;
}
