#include "CCmark.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static void (*prepare)(void);
static void *(*parser_new)(int);
static void (*parser_feed)(void *, const char *, size_t);
static void *(*parser_finish)(void *);
static void (*parser_free)(void *);
static void *(*find_extension)(const char *);
static int (*attach)(void *, void *);
static void *(*extensions)(void *);
static char *(*render)(void *, int, void *);
static void (*release)(void *);
static void *(*iterate)(void *);
static int (*next)(void *);
static void *(*current)(void *);
static void (*end)(void *);
static const char *(*kind)(void *);
static const char *(*literal)(void *);
static void *(*make)(unsigned);
static int (*say)(void *, const char *);
static int (*append)(void *, void *);
static int (*replace)(void *, void *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void load(void) {
  // The library has its whole version in its name; what is used of it has been the same in all of them. The extensions
  // bring the parser with them.
  static const char *const names[] = {
      "libcmark-gfm-extensions.so.0.29.0.gfm.6",  "libcmark-gfm-extensions.so.0.29.0.gfm.13",
      "libcmark-gfm-extensions.so.0.29.0.gfm.12", "libcmark-gfm-extensions.so.0.29.0.gfm.11",
      "libcmark-gfm-extensions.so.0.29.0.gfm.10", "libcmark-gfm-extensions.so.0.29.0.gfm.9",
      "libcmark-gfm-extensions.so.0.29.0.gfm.8",  "libcmark-gfm-extensions.so.0.29.0.gfm.7",
      "libcmark-gfm-extensions.so",
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
      {(void **)&prepare, "cmark_gfm_core_extensions_ensure_registered"},
      {(void **)&parser_new, "cmark_parser_new"},
      {(void **)&parser_feed, "cmark_parser_feed"},
      {(void **)&parser_finish, "cmark_parser_finish"},
      {(void **)&parser_free, "cmark_parser_free"},
      {(void **)&find_extension, "cmark_find_syntax_extension"},
      {(void **)&attach, "cmark_parser_attach_syntax_extension"},
      {(void **)&extensions, "cmark_parser_get_syntax_extensions"},
      {(void **)&render, "cmark_render_html"},
      {(void **)&release, "cmark_node_free"},
      {(void **)&iterate, "cmark_iter_new"},
      {(void **)&next, "cmark_iter_next"},
      {(void **)&current, "cmark_iter_get_node"},
      {(void **)&end, "cmark_iter_free"},
      {(void **)&kind, "cmark_node_get_type_string"},
      {(void **)&literal, "cmark_node_get_literal"},
      {(void **)&make, "cmark_node_new"},
      {(void **)&say, "cmark_node_set_literal"},
      {(void **)&append, "cmark_node_append_child"},
      {(void **)&replace, "cmark_node_replace"},
  };
  for (size_t place = 0; place < sizeof functions / sizeof *functions; place++) {
    *functions[place].slot = dlsym(library, functions[place].name);
    if (!*functions[place].slot) return;
  }
  prepare();
  loaded = 1;
}

// CMARK_NODE_PARAGRAPH, CMARK_NODE_TEXT, CMARK_EVENT_DONE; CMARK_OPT_VALIDATE_UTF8 (cmark-gfm.h).
enum { PARAGRAPH = 0x8008, TEXT = 0xc001, DONE = 1, VALIDATE = 512 };

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
  static const char *const names[] = {"table", "strikethrough", "tasklist", "autolink"};
  pthread_once(&once, load);
  if (!loaded) return NULL;
  void *parser = parser_new(VALIDATE);
  if (!parser) return NULL;
  for (size_t place = 0; place < sizeof names / sizeof *names; place++) {
    void *extension = find_extension(names[place]);
    if (extension) attach(parser, extension);
  }
  parser_feed(parser, text, count);
  void *document = parser_finish(parser);
  char *html = NULL;
  if (document) {
    keep_words(document);
    // No unsafe option: addresses such as javascript: are left out.
    html = render(document, VALIDATE, extensions(parser));
    release(document);
  }
  parser_free(parser);
  return html;
}
