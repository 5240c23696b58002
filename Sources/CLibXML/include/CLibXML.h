#ifndef HELIX_CLIBXML_H
#define HELIX_CLIBXML_H

#include <stddef.h>
#include <stdint.h>

/// libxml2's HTML parser, opened when the first HTML is read: it brings ICU with it, which costs 2 ms.

/// What is told of a document, in order. Names are in lower case; attributes are pairs that end with NULL, a value may be
/// NULL. A handler that returns 0 ends the parsing.
typedef struct {
  int (*start)(void *context, const char *name, const char **attributes);
  int (*end)(void *context, const char *name);
  int (*text)(void *context, const char *text, size_t count);
} helix_html_handler;

/// Opens libxml2. Returns 1, or 0 if it is not installed.
int helix_html_load(void);

/// Reads HTML in UTF-8. It loads nothing: no file, no address. Returns 0 if libxml2 is not there.
int helix_html_parse(const char *bytes, size_t count, void *context, const helix_html_handler *handler);

/// What is told of an XML document, in order. Names come without their prefix, with the namespace that it stands for, which
/// may be NULL, and with what its attribute `name`, `type` or `t` says, or NULL.
typedef struct {
  void (*start)(void *context, const char *name, const char *space, const char *label);
  void (*end)(void *context);
  void (*text)(void *context, const char *text);
} helix_xml_handler;

/// Reads XML. It loads nothing, and puts no entities in their places. Returns 0 if it is none, -1 if libxml2 is not there.
int helix_xml_parse(const char *bytes, size_t count, void *context, const helix_xml_handler *handler);

#endif
