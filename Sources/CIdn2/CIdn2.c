#include "CIdn2.h"

#include <dlfcn.h>
#include <idn2.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static __typeof__(idn2_lookup_u8) *lookup;
static __typeof__(idn2_free) *release;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libidn2.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  release = dlsym(library, "idn2_free");
  lookup = dlsym(library, "idn2_lookup_u8");
}

char *helix_idn_ascii(const char *domain, int *is_missing) {
  pthread_once(&once, load);
  *is_missing = lookup == NULL || release == NULL;
  if (*is_missing) return NULL;
  uint8_t *found = NULL;
  if (lookup((const uint8_t *)domain, &found, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) != IDN2_OK || !found) return NULL;
  char *copy = strdup((const char *)found);
  release(found);
  return copy;
}
