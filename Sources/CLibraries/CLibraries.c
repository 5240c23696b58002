#define _GNU_SOURCE
#include "include/CLibraries.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HELIX_COMMIT
#define HELIX_COMMIT ""
#endif

// How a library says its version.
enum { TEXT_FUNCTION, TEXT_VARIABLE, TEXT_FUNCTION_OF_NULL, NUMBERS, FIRST_WORD, TEXT_VARIABLE_OF_TEXT, FILE_NAME, NUMBER_OF_BYTES, NUMBER_FUNCTION };

static const struct {
  helix_library_entry entry;
  const char *files[3];
  int form;
  const char *symbol;
} libraries[] = {
    {{"libcurl", "libcurl4", "sync and mail servers"},
     {"libcurl.so.4", "libcurl-gnutls.so.4"}, FIRST_WORD, "curl_version"},
    {{"GMime", "libgmime-3.0-0", "mail"}, {"libgmime-3.0.so.0"}, NUMBERS, "gmime"},
    {{"GPGME", "libgpgme11", "signed and encrypted mail"}, {"libgpgme.so.11"}, TEXT_FUNCTION_OF_NULL, "gpgme_check_version"},
    {{"libxml2", "libxml2", "HTML mail and CalDAV"},
     {"libxml2.so.2", "libxml2.so.16"}, TEXT_VARIABLE, "xmlParserVersion"},
    {{"cmark-gfm", "libcmark-gfm-extensions0.29.0.gfm.6", "Markdown in mail"},
     {"libcmark-gfm-extensions.so.0.29.0.gfm.6", "libcmark-gfm-extensions.so.0.29.0.gfm.13",
      "libcmark-gfm-extensions.so"}, TEXT_FUNCTION, "cmark_version_string"},
    {{"libical", "libical3", "checks of calendars"}, {"libical.so.3"}, FILE_NAME, "icalparser_parse_string"},
    {{"libidn2", "libidn2-0", "addresses with letters beyond ASCII"},
     {"libidn2.so.0"}, TEXT_FUNCTION_OF_NULL, "idn2_check_version"},
    {{"libunistring", "libunistring2", "names beyond ASCII"},
     {"libunistring.so.2", "libunistring.so.5"}, NUMBER_OF_BYTES, "_libunistring_version"},
    {{"zlib", "zlib1g", "packed lines to mail servers"}, {"libz.so.1"}, TEXT_FUNCTION, "zlibVersion"},
    {{"GDK-PixBuf", "libgdk-pixbuf-2.0-0", "smaller copies of images"},
     {"libgdk_pixbuf-2.0.so.0"}, TEXT_VARIABLE_OF_TEXT, "gdk_pixbuf_version"},
    {{"Pango", "libpangocairo-1.0-0", "charts as PNG and PDF, printed calendars"},
     {"libpangocairo-1.0.so.0"}, TEXT_FUNCTION, "pango_version_string"},
    {{"libpq", "libpq5", "the database of several gateways"}, {"libpq.so.5"}, NUMBER_FUNCTION, "PQlibVersion"},
    {{"libpam", "libpam0g", "a lock by the system's login"}, {"libpam.so.0"}, FILE_NAME, "pam_start"},
    {{"libsodium", "libsodium23", "passphrases of the lock, and passwords of a gateway of one's own"},
     {"libsodium.so.23", "libsodium.so.26"}, TEXT_FUNCTION, "sodium_version_string"},
};

int helix_library_count(void) { return sizeof libraries / sizeof *libraries; }

helix_library_entry helix_library_at(int index) { return libraries[index].entry; }

int helix_library_version(int index, char *version, int size) {
  void *library = NULL;
  for (int place = 0; place < 3 && !library && libraries[index].files[place]; place++)
    library = dlopen(libraries[index].files[place], RTLD_LAZY | RTLD_LOCAL);
  if (!library) return 0;
  const char *text = NULL;
  char numbers[64];
  void *symbol = dlsym(library, libraries[index].symbol);
  switch (libraries[index].form) {
    case TEXT_FUNCTION:
    case FIRST_WORD:
      if (symbol) text = ((const char *(*)(void))symbol)();
      break;
    case TEXT_FUNCTION_OF_NULL:
      if (symbol) text = ((const char *(*)(const char *))symbol)(NULL);
      break;
    case TEXT_VARIABLE_OF_TEXT:
      if (symbol) text = *(const char **)symbol;
      break;
    case TEXT_VARIABLE: {
      // 20914 is 2.9.14.
      int number = symbol ? atoi(*(const char **)symbol) : 0;
      if (number > 0) {
        snprintf(numbers, sizeof numbers, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
        text = numbers;
      }
      break;
    }
    // 0x000900 is 0.9.
    case NUMBER_OF_BYTES:
      if (symbol) {
        int number = *(const int *)symbol;
        snprintf(numbers, sizeof numbers, "%d.%d.%d", number >> 16, number >> 8 & 255, number & 255);
        text = numbers;
      }
      break;
    // 150008 is 15.8.
    case NUMBER_FUNCTION:
      if (symbol) {
        int number = ((int (*)(void))symbol)();
        snprintf(numbers, sizeof numbers, "%d.%d", number / 10000, number % 10000);
        text = numbers;
      }
      break;
    // A library without a function for it has its version in the name of its file: libical.so.3.0.16.
    case FILE_NAME: {
      Dl_info info;
      char path[PATH_MAX];
      if (!symbol || !dladdr(symbol, &info) || !info.dli_fname || !realpath(info.dli_fname, path)) break;
      const char *end = strstr(path, ".so.");
      if (end) {
        snprintf(numbers, sizeof numbers, "%s", end + 4);
        text = numbers;
      }
      break;
    }
    case NUMBERS: {
      const unsigned *major = dlsym(library, "gmime_major_version");
      const unsigned *minor = dlsym(library, "gmime_minor_version");
      const unsigned *micro = dlsym(library, "gmime_micro_version");
      if (major && minor && micro) {
        snprintf(numbers, sizeof numbers, "%u.%u.%u", *major, *minor, *micro);
        text = numbers;
      }
    }
  }
  if (text && libraries[index].form == FIRST_WORD && strchr(text, '/')) text = strchr(text, '/') + 1;
  snprintf(version, (size_t)size, "%s", text ? text : "unknown");
  if (libraries[index].form == FIRST_WORD) version[strcspn(version, " ")] = 0;
  return 1;
}

const char *helix_commit(void) { return HELIX_COMMIT; }
