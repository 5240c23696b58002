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

static void *(*reader_new)(const char *, int, const char *, const char *, int);
static void (*reader_free)(void *);
static int (*reader_read)(void *);
static int (*reader_type)(void *);
static int (*reader_is_empty)(void *);
static const unsigned char *(*reader_name)(void *);
static const unsigned char *(*reader_space)(void *);
static const unsigned char *(*reader_value)(void *);
static int (*reader_attribute)(void *, const char *);
static int (*reader_back)(void *);

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
  *(void **)&reader_new = dlsym(library, "xmlReaderForMemory");
  *(void **)&reader_free = dlsym(library, "xmlFreeTextReader");
  *(void **)&reader_read = dlsym(library, "xmlTextReaderRead");
  *(void **)&reader_type = dlsym(library, "xmlTextReaderNodeType");
  *(void **)&reader_is_empty = dlsym(library, "xmlTextReaderIsEmptyElement");
  *(void **)&reader_name = dlsym(library, "xmlTextReaderConstLocalName");
  *(void **)&reader_space = dlsym(library, "xmlTextReaderConstNamespaceUri");
  *(void **)&reader_value = dlsym(library, "xmlTextReaderConstValue");
  *(void **)&reader_attribute = dlsym(library, "xmlTextReaderMoveToAttribute");
  *(void **)&reader_back = dlsym(library, "xmlTextReaderMoveToElement");
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

// XML_PARSE_NOERROR, NOWARNING, NONET and NOCDATA; without NOENT no entity becomes its text.
enum { XML_OPTIONS = 32 | 64 | 2048 | 16384, NODE_ELEMENT = 1, NODE_TEXT = 3, NODE_CDATA = 4, NODE_END = 15 };

int helix_xml_parse(const char *bytes, size_t count, void *context, const helix_xml_handler *handler) {
  if (!helix_html_load() || !reader_new || !reader_value || !reader_attribute || !reader_back) return -1;
  if (count > 1 << 30) return 0;
  void *reader = reader_new(bytes, (int)count, NULL, NULL, XML_OPTIONS);
  if (!reader) return 0;
  int code, is_empty;
  while ((code = reader_read(reader)) == 1) {
    switch (reader_type(reader)) {
      case NODE_ELEMENT:
        is_empty = reader_is_empty(reader);
        const char *name = (const char *)reader_name(reader), *space = (const char *)reader_space(reader);
        const char *label = NULL;
        if (reader_attribute(reader, "name") == 1 || reader_attribute(reader, "type") == 1)
          label = (const char *)reader_value(reader);
        handler->start(context, name, space, label);
        if (label) reader_back(reader);
        if (is_empty) handler->end(context);
        break;
      case NODE_END: handler->end(context); break;
      case NODE_TEXT:
      case NODE_CDATA: handler->text(context, (const char *)reader_value(reader)); break;
    }
  }
  reader_free(reader);
  return code == 0;
}
