#ifndef HELIX_FULLTEXT_H
#define HELIX_FULLTEXT_H

#include <sqlite3.h>

// The functions that helix adds to FTS5, each in a file of its own; FullText.c gives them to a connection.

/// `helix_rank(TABLE)`: how well a row fits a query.
void helix_rank_row(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values);

/// `helix_best(TABLE, LIMIT, COLUMN)`: the best rows of a query of one phrase.
void helix_best_rows(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values);

/// `helix_excerpt(TABLE, COLUMN)` and `helix_excerpt(TABLE, ROW, TEXT, BEST)`: where a query's words stand in a text.
void helix_excerpt_row(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values);

/// Adds `helix_has(TEXT, PHRASE)` to a connection: whether a text has a phrase, without an index. The tokenizer `scripts`
/// must be there.
int helix_add_words(sqlite3 *connection, fts5_api *api);

#endif
