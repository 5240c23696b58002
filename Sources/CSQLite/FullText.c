#include <stdlib.h>
#include <string.h>

#include "CSQLite.h"
#include "FullText.h"

// SQLite's own tokenizer `unicode61`, whose words are cut further where a script writes no blanks between them: each
// letter of such a script is a word of its own. FTS5 looks for several words in a row where a query's word is cut, so that
// any part of a sentence is found.

typedef struct {
  fts5_tokenizer plain;
  Fts5Tokenizer *tokenizer;
} Scripts;

typedef struct {
  void *context;
  int (*token)(void *, int, const char *, int, int, int);
} Sink;

static int is_unspaced(unsigned scalar) {
  return (scalar >= 0x0E00 && scalar <= 0x0EFF)      // Thai, Lao
         || (scalar >= 0x1000 && scalar <= 0x109F)   // Burmese
         || (scalar >= 0x1780 && scalar <= 0x17FF)   // Khmer
         || (scalar >= 0x3040 && scalar <= 0x31FF)   // Kana, Bopomofo
         || (scalar >= 0x3400 && scalar <= 0x9FFF)   // Han
         || (scalar >= 0xAC00 && scalar <= 0xD7AF)   // Hangul, whose words take endings
         || (scalar >= 0xF900 && scalar <= 0xFAFF)   // Han for compatibility
         || (scalar >= 0x20000 && scalar <= 0x3FFFF);  // Han, further planes
}

// The scalar at `text`, and how many bytes it has; 0 where there is none.
static int decode(const unsigned char *text, int count, unsigned *scalar) {
  unsigned char first = text[0];
  int length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length > count || (first >= 0x80 && first < 0xC2)) {
    *scalar = 0xFFFD;
    return 1;
  }
  unsigned value = length == 1 ? first : length == 2 ? first & 0x1F : length == 3 ? first & 0x0F : first & 0x07;
  for (int index = 1; index < length; index++) value = value << 6 | (text[index] & 0x3F);
  *scalar = value;
  return length;
}

static int pass(void *context, int flags, const char *token, int count, int start, int end) {
  Sink *sink = context;
  const unsigned char *bytes = (const unsigned char *)token;
  // The tokenizer takes accents away, and leaves ß, which is written ss where there is none. It has two bytes as well.
  char folded[256];
  for (int index = 0; index + 1 < count && count <= (int)sizeof folded; index++) {
    if (bytes[index] != 0xC3 || bytes[index + 1] != 0x9F) continue;
    if (token != folded) memcpy(folded, token, (size_t)count);
    token = folded;
    bytes = (const unsigned char *)folded;
    folded[index] = folded[index + 1] = 's';
  }
  int has_wide = 0;
  for (int index = 0; index < count && !has_wide; index++) has_wide = bytes[index] >= 0xE0;
  if (!has_wide) return sink->token(sink->context, flags, token, count, start, end);
  // Where folding changed the length, the places of the pieces cannot be told, and the whole word stands for each.
  int is_same = count == end - start;
  int place = 0, run = 0;
  while (place < count) {
    unsigned scalar;
    int length = decode(bytes + place, count - place, &scalar);
    if (!is_unspaced(scalar)) {
      place += length;
      continue;
    }
    if (place > run) {
      int code = sink->token(
          sink->context, flags, token + run, place - run, is_same ? start + run : start, is_same ? start + place : end);
      if (code != SQLITE_OK) return code;
    }
    int code = sink->token(
        sink->context, flags, token + place, length, is_same ? start + place : start,
        is_same ? start + place + length : end);
    if (code != SQLITE_OK) return code;
    place += length;
    run = place;
  }
  if (run == count) return SQLITE_OK;
  return sink->token(sink->context, flags, token + run, count - run, is_same ? start + run : start, end);
}

static void scripts_delete(Fts5Tokenizer *tokenizer) {
  Scripts *scripts = (Scripts *)tokenizer;
  if (!scripts) return;
  if (scripts->tokenizer) scripts->plain.xDelete(scripts->tokenizer);
  sqlite3_free(scripts);
}

static int scripts_create(void *context, const char **arguments, int count, Fts5Tokenizer **result) {
  fts5_api *api = context;
  Scripts *scripts = sqlite3_malloc(sizeof *scripts);
  if (!scripts) return SQLITE_NOMEM;
  memset(scripts, 0, sizeof *scripts);
  void *inner = NULL;
  int code = api->xFindTokenizer(api, "unicode61", &inner, &scripts->plain);
  if (code == SQLITE_OK) code = scripts->plain.xCreate(inner, arguments, count, &scripts->tokenizer);
  if (code != SQLITE_OK) {
    scripts_delete((Fts5Tokenizer *)scripts);
    return code;
  }
  *result = (Fts5Tokenizer *)scripts;
  return SQLITE_OK;
}

static int scripts_tokenize(
    Fts5Tokenizer *tokenizer, void *context, int flags, const char *text, int count,
    int (*token)(void *, int, const char *, int, int, int)) {
  Scripts *scripts = (Scripts *)tokenizer;
  Sink sink = {context, token};
  return scripts->plain.xTokenize(scripts->tokenizer, &sink, flags, text, count, pass);
}

int helix_sqlite_add_tokenizer(sqlite3 *connection) {
  fts5_api *api = NULL;
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL);
  sqlite3_step(statement);
  sqlite3_finalize(statement);
  if (!api) return SQLITE_ERROR;
  fts5_tokenizer scripts = {scripts_create, scripts_delete, scripts_tokenize};
  code = api->xCreateTokenizer(api, "scripts", api, &scripts, NULL);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "helix_rank", NULL, helix_rank_row, NULL);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "helix_excerpt", NULL, helix_excerpt_row, NULL);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "helix_best", NULL, helix_best_rows, NULL);
  if (code == SQLITE_OK) code = helix_add_words(connection, api);
  return code;
}
