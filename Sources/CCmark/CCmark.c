#include "CCmark.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static __typeof__(cmark_gfm_core_extensions_ensure_registered) *prepare;
static __typeof__(cmark_parser_new) *parser_new;
static __typeof__(cmark_parser_feed) *parser_feed;
static __typeof__(cmark_parser_finish) *parser_finish;
static __typeof__(cmark_parser_free) *parser_free;
static __typeof__(cmark_find_syntax_extension) *find_extension;
static __typeof__(cmark_parser_attach_syntax_extension) *attach;
static __typeof__(cmark_parser_get_syntax_extensions) *extensions;
static __typeof__(cmark_render_html) *render;
static __typeof__(cmark_node_free) *release;
static __typeof__(cmark_iter_new) *iterate;
static __typeof__(cmark_iter_next) *next;
static __typeof__(cmark_iter_get_node) *current;
static __typeof__(cmark_iter_free) *end;
static __typeof__(cmark_node_get_type_string) *kind;
static __typeof__(cmark_node_get_literal) *literal;
static __typeof__(cmark_node_new) *make;
static __typeof__(cmark_node_set_literal) *say;
static __typeof__(cmark_node_append_child) *append;
static __typeof__(cmark_node_replace) *replace;

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

// Makes text of HTML that stands in a document: nobody who writes a<b in a letter means a tag, and what strangers wrote
// must not become one.
static void keep_words(cmark_node *document) {
  cmark_iter *iterator = iterate(document);
  // A node may go once the iterator has left it.
  cmark_node *left = NULL;
  while (next(iterator) != CMARK_EVENT_DONE) {
    if (left) {
      release(left);
      left = NULL;
    }
    cmark_node *node = current(iterator);
    const char *name = kind(node);
    int is_block = strcmp(name, "html_block") == 0;
    if (!is_block && strcmp(name, "html_inline") != 0) continue;
    cmark_node *text = make(CMARK_NODE_TEXT);
    say(text, literal(node));
    cmark_node *instead = text;
    if (is_block) {
      instead = make(CMARK_NODE_PARAGRAPH);
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
  cmark_parser *parser = parser_new(CMARK_OPT_VALIDATE_UTF8);
  if (!parser) return NULL;
  for (size_t place = 0; place < sizeof names / sizeof *names; place++) {
    cmark_syntax_extension *extension = find_extension(names[place]);
    if (extension) attach(parser, extension);
  }
  parser_feed(parser, text, count);
  cmark_node *document = parser_finish(parser);
  char *html = NULL;
  if (document) {
    keep_words(document);
    // No unsafe option: addresses such as javascript: are left out.
    html = render(document, CMARK_OPT_VALIDATE_UTF8, extensions(parser));
    release(document);
  }
  parser_free(parser);
  return html;
}
