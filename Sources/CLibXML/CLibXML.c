#include "CLibXML.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The order in which libxml2 keeps its handlers (struct _xmlSAXHandler), unchanged since 2.6.
enum { START_ELEMENT = 14, END_ELEMENT = 15, CHARACTERS = 17, IGNORABLE_WHITESPACE = 18, CDATA_BLOCK = 25, SLOTS = 32 };

// HTML_PARSE_RECOVER, NOERROR, NOWARNING, NONET, COMPACT and IGNORE_ENC: the text is in UTF-8, whatever it says of itself.
enum { OPTIONS = 1 | 32 | 64 | 2048 | 65536 | 2097152, UTF8 = 1 };

static void *(*create)(void *, void *, const char *, int, const char *, int);
static int (*use)(void *, int);
static int (*chunk)(void *, const char *, int, int);
static void (*stop)(void *);
static void (*release)(void *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void ignore(void *context, const char *format, ...) { (void)context, (void)format; }

static void load(void) {
  void *library = dlopen("libxml2.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libxml2.so.16", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  void (*prepare)(void) = (void (*)(void))dlsym(library, "xmlInitParser");
  *(void **)&create = dlsym(library, "htmlCreatePushParserCtxt");
  *(void **)&use = dlsym(library, "htmlCtxtUseOptions");
  *(void **)&chunk = dlsym(library, "htmlParseChunk");
  *(void **)&stop = dlsym(library, "xmlStopParser");
  *(void **)&release = dlsym(library, "htmlFreeParserCtxt");
  void (*tell)(void *, void (*)(void *, const char *, ...)) =
      (void (*)(void *, void (*)(void *, const char *, ...)))dlsym(library, "xmlSetGenericErrorFunc");
  if (!prepare || !create || !use || !chunk || !stop || !release) return;
  prepare();
  if (tell) tell(NULL, ignore);
  loaded = 1;
}

int helix_html_load(void) {
  pthread_once(&once, load);
  return loaded;
}

struct reading {
  void *context;
  const helix_html_handler *handler;
  void *parser;
  int is_over;
};

static void over(struct reading *reading) {
  reading->is_over = 1;
  stop(reading->parser);
}

static void start_element(void *context, const unsigned char *name, const unsigned char **attributes) {
  struct reading *reading = context;
  if (reading->is_over) return;
  if (!reading->handler->start(reading->context, (const char *)name, (const char **)attributes)) over(reading);
}

static void end_element(void *context, const unsigned char *name) {
  struct reading *reading = context;
  if (!reading->is_over && !reading->handler->end(reading->context, (const char *)name)) over(reading);
}

static void characters(void *context, const unsigned char *text, int count) {
  struct reading *reading = context;
  if (reading->is_over || count <= 0) return;
  if (!reading->handler->text(reading->context, (const char *)text, (size_t)count)) over(reading);
}

int helix_html_parse(const char *bytes, size_t count, void *context, const helix_html_handler *handler) {
  if (!helix_html_load()) return 0;
  // A table of functions and nothing else: no tree is built.
  void *table[SLOTS];
  memset(table, 0, sizeof table);
  *(void (**)(void *, const unsigned char *, const unsigned char **)) & table[START_ELEMENT] = start_element;
  *(void (**)(void *, const unsigned char *)) & table[END_ELEMENT] = end_element;
  *(void (**)(void *, const unsigned char *, int)) & table[CHARACTERS] = characters;
  *(void (**)(void *, const unsigned char *, int)) & table[IGNORABLE_WHITESPACE] = characters;
  *(void (**)(void *, const unsigned char *, int)) & table[CDATA_BLOCK] = NULL;
  struct reading reading = {context, handler, NULL, 0};
  reading.parser = create(table, &reading, NULL, 0, NULL, UTF8);
  if (!reading.parser) return 0;
  use(reading.parser, OPTIONS);
  // In pieces, so that a handler that has enough is heard.
  const size_t piece = 1 << 16;
  for (size_t done = 0; done < count && !reading.is_over; done += piece) {
    size_t length = count - done < piece ? count - done : piece;
    chunk(reading.parser, bytes + done, (int)length, 0);
  }
  if (!reading.is_over) chunk(reading.parser, NULL, 0, 1);
  release(reading.parser);
  return 1;
}
