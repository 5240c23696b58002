#ifndef HELIX_CCMARK_H
#define HELIX_CCMARK_H

#include <stddef.h>

/// cmark, the reference of CommonMark, opened when the first Markdown is written.

/// Renders Markdown in UTF-8 as HTML; HTML that stands in it becomes text that is read as it stands. The result is to be
/// given back to `free`. Returns NULL if cmark is not installed.
char *helix_markdown_html(const char *text, size_t count);

#endif
