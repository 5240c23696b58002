#include "CUnistring.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// uninorm.h: the forms are objects of the library.
static uint8_t *(*normalize)(const void *, const uint8_t *, size_t, uint8_t *, size_t *);
static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  library = dlopen("libunistring.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libunistring.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (library) *(void **)&normalize = dlsym(library, "u8_normalize");
}

uint8_t *helix_normalize(const char *form, const uint8_t *text, size_t length, size_t *count) {
  pthread_once(&once, load);
  if (!normalize) return NULL;
  char name[32];
  snprintf(name, sizeof name, "uninorm_%s", form);
  const void *object = dlsym(library, name);
  return object ? normalize(object, text, length, NULL, count) : NULL;
}
