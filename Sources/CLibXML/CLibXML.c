#include "CLibXML.h"

#include <dlfcn.h>
#include <libxml/HTMLparser.h>
#include <libxml/xmlreader.h>
#include <pthread.h>
#include <string.h>

// The text is in UTF-8, whatever it says of itself.
enum {
  OPTIONS = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_COMPACT |
            HTML_PARSE_IGNORE_ENC
};

static __typeof__(htmlCreatePushParserCtxt) *create;
static __typeof__(htmlCtxtUseOptions) *use;
static __typeof__(htmlParseChunk) *chunk;
static __typeof__(xmlStopParser) *stop;
static __typeof__(htmlFreeParserCtxt) *release;
static __typeof__(xmlReaderForMemory) *reader_new;
static __typeof__(xmlFreeTextReader) *reader_free;
static __typeof__(xmlTextReaderRead) *reader_read;
static __typeof__(xmlTextReaderNodeType) *reader_type;
static __typeof__(xmlTextReaderIsEmptyElement) *reader_is_empty;
static __typeof__(xmlTextReaderConstLocalName) *reader_name;
static __typeof__(xmlTextReaderConstNamespaceUri) *reader_space;
static __typeof__(xmlTextReaderConstValue) *reader_value;
static __typeof__(xmlTextReaderMoveToAttribute) *reader_attribute;
static __typeof__(xmlTextReaderMoveToElement) *reader_back;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void ignore(void *context, const char *format, ...) { (void)context, (void)format; }

static void load(void) {
  void *library = dlopen("libxml2.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libxml2.so.16", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  __typeof__(xmlInitParser) *prepare = dlsym(library, "xmlInitParser");
  create = dlsym(library, "htmlCreatePushParserCtxt");
  use = dlsym(library, "htmlCtxtUseOptions");
  chunk = dlsym(library, "htmlParseChunk");
  stop = dlsym(library, "xmlStopParser");
  release = dlsym(library, "htmlFreeParserCtxt");
  __typeof__(xmlSetGenericErrorFunc) *tell = dlsym(library, "xmlSetGenericErrorFunc");
  reader_new = dlsym(library, "xmlReaderForMemory");
  reader_free = dlsym(library, "xmlFreeTextReader");
  reader_read = dlsym(library, "xmlTextReaderRead");
  reader_type = dlsym(library, "xmlTextReaderNodeType");
  reader_is_empty = dlsym(library, "xmlTextReaderIsEmptyElement");
  reader_name = dlsym(library, "xmlTextReaderConstLocalName");
  reader_space = dlsym(library, "xmlTextReaderConstNamespaceUri");
  reader_value = dlsym(library, "xmlTextReaderConstValue");
  reader_attribute = dlsym(library, "xmlTextReaderMoveToAttribute");
  reader_back = dlsym(library, "xmlTextReaderMoveToElement");
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
  htmlParserCtxtPtr parser;
  int is_over;
};

static void over(struct reading *reading) {
  reading->is_over = 1;
  stop(reading->parser);
}

static void start_element(void *context, const xmlChar *name, const xmlChar **attributes) {
  struct reading *reading = context;
  if (reading->is_over) return;
  if (!reading->handler->start(reading->context, (const char *)name, (const char **)attributes)) over(reading);
}

static void end_element(void *context, const xmlChar *name) {
  struct reading *reading = context;
  if (!reading->is_over && !reading->handler->end(reading->context, (const char *)name)) over(reading);
}

static void characters(void *context, const xmlChar *text, int count) {
  struct reading *reading = context;
  if (reading->is_over || count <= 0) return;
  if (!reading->handler->text(reading->context, (const char *)text, (size_t)count)) over(reading);
}

int helix_html_parse(const char *bytes, size_t count, void *context, const helix_html_handler *handler) {
  if (!helix_html_load()) return 0;
  // A table of functions and nothing else: no tree is built.
  htmlSAXHandler table = {
      .startElement = start_element,
      .endElement = end_element,
      .characters = characters,
      .ignorableWhitespace = characters,
  };
  struct reading reading = {context, handler, NULL, 0};
  reading.parser = create(&table, &reading, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
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

// Without NOENT no entity becomes its text.
enum { XML_OPTIONS = XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET | XML_PARSE_NOCDATA };

int helix_xml_parse(const char *bytes, size_t count, void *context, const helix_xml_handler *handler) {
  if (!helix_html_load() || !reader_new || !reader_value || !reader_attribute || !reader_back) return -1;
  if (count > 1 << 30) return 0;
  xmlTextReaderPtr reader = reader_new(bytes, (int)count, NULL, NULL, XML_OPTIONS);
  if (!reader) return 0;
  int code, is_empty;
  while ((code = reader_read(reader)) == 1) {
    switch (reader_type(reader)) {
      case XML_READER_TYPE_ELEMENT:
        is_empty = reader_is_empty(reader);
        const char *name = (const char *)reader_name(reader), *space = (const char *)reader_space(reader);
        const char *label = NULL;
        if (reader_attribute(reader, BAD_CAST "name") == 1 || reader_attribute(reader, BAD_CAST "type") == 1 ||
            reader_attribute(reader, BAD_CAST "t") == 1)
          label = (const char *)reader_value(reader);
        handler->start(context, name, space, label);
        if (label) reader_back(reader);
        if (is_empty) handler->end(context);
        break;
      case XML_READER_TYPE_END_ELEMENT: handler->end(context); break;
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA: handler->text(context, (const char *)reader_value(reader)); break;
    }
  }
  reader_free(reader);
  return code == 0;
}
