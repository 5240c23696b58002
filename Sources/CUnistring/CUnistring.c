#include "CUnistring.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <uninorm.h>

// The forms are objects of the library.
static __typeof__(u8_normalize) *normalize;
static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  library = dlopen("libunistring.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libunistring.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (library) normalize = dlsym(library, "u8_normalize");
}

uint8_t *helix_normalize(const char *form, const uint8_t *text, size_t length, size_t *count) {
  pthread_once(&once, load);
  if (!normalize) return NULL;
  char name[32];
  snprintf(name, sizeof name, "uninorm_%s", form);
  uninorm_t object = dlsym(library, name);
  return object ? normalize(object, text, length, NULL, count) : NULL;
}
