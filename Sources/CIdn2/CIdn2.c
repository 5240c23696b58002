#include "CIdn2.h"

#include <dlfcn.h>
#include <idn2.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static __typeof__(idn2_lookup_u8) *lookup;
static __typeof__(idn2_to_unicode_8z8z) *to_unicode;
static __typeof__(idn2_free) *release;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libidn2.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  release = dlsym(library, "idn2_free");
  to_unicode = dlsym(library, "idn2_to_unicode_8z8z");
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

char *helix_idn_unicode(const char *domain) {
  pthread_once(&once, load);
  char *found = NULL;
  if (!to_unicode || !release || to_unicode(domain, &found, 0) != IDN2_OK || !found) return NULL;
  char *copy = strdup(found);
  release(found);
  return copy;
}
