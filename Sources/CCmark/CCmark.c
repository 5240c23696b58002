#include "CCmark.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static void *(*parse)(const char *, size_t, int);
static char *(*render)(void *, int);
static void (*release)(void *);
static void *(*iterate)(void *);
static int (*next)(void *);
static void *(*current)(void *);
static void (*end)(void *);
static const char *(*kind)(void *);
static const char *(*literal)(void *);
static void *(*make)(int);
static int (*say)(void *, const char *);
static int (*append)(void *, void *);
static int (*replace)(void *, void *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void load(void) {
  // The library has its whole version in its name; what is used of it has been the same in all of them.
  static const char *const names[] = {
      "libcmark.so.0.30.2", "libcmark.so.0.31.1", "libcmark.so.0.31.0", "libcmark.so.0.30.3", "libcmark.so.0.30.1",
      "libcmark.so.0.30.0", "libcmark.so",
  };
  void *library = NULL;
  for (size_t place = 0; !library && place < sizeof names / sizeof *names; place++) {
    library = dlopen(names[place], RTLD_LAZY | RTLD_LOCAL);
  }
  if (!library) return;
  struct {
    void **slot;
    const char *name;
  } const functions[] = {
      {(void **)&parse, "cmark_parse_document"},      {(void **)&render, "cmark_render_html"},
      {(void **)&release, "cmark_node_free"},         {(void **)&iterate, "cmark_iter_new"},
      {(void **)&next, "cmark_iter_next"},            {(void **)&current, "cmark_iter_get_node"},
      {(void **)&end, "cmark_iter_free"},             {(void **)&kind, "cmark_node_get_type_string"},
      {(void **)&literal, "cmark_node_get_literal"},  {(void **)&make, "cmark_node_new"},
      {(void **)&say, "cmark_node_set_literal"},      {(void **)&append, "cmark_node_append_child"},
      {(void **)&replace, "cmark_node_replace"},
  };
  for (size_t place = 0; place < sizeof functions / sizeof *functions; place++) {
    *functions[place].slot = dlsym(library, functions[place].name);
    if (!*functions[place].slot) return;
  }
  loaded = 1;
}

// CMARK_NODE_PARAGRAPH, CMARK_NODE_TEXT, CMARK_EVENT_DONE; CMARK_OPT_VALIDATE_UTF8.
enum { PARAGRAPH = 8, TEXT = 11, DONE = 1, VALIDATE = 512 };

// Makes text of HTML that stands in a document: nobody who writes a<b in a letter means a tag, and what strangers wrote
// must not become one.
static void keep_words(void *document) {
  void *iterator = iterate(document);
  // A node may go once the iterator has left it.
  void *left = NULL;
  while (next(iterator) != DONE) {
    if (left) {
      release(left);
      left = NULL;
    }
    void *node = current(iterator);
    const char *name = kind(node);
    int is_block = strcmp(name, "html_block") == 0;
    if (!is_block && strcmp(name, "html_inline") != 0) continue;
    void *text = make(TEXT);
    say(text, literal(node));
    void *instead = text;
    if (is_block) {
      instead = make(PARAGRAPH);
      append(instead, text);
    }
    if (replace(node, instead)) left = node;
  }
  if (left) release(left);
  end(iterator);
}

char *helix_markdown_html(const char *text, size_t count) {
  pthread_once(&once, load);
  if (!loaded) return NULL;
  void *document = parse(text, count, VALIDATE);
  if (!document) return NULL;
  keep_words(document);
  // No options: addresses such as javascript: are left out.
  char *html = render(document, VALIDATE);
  release(document);
  return html;
}
