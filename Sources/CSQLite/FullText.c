#include <string.h>

#include "CSQLite.h"

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

// How well a row fits a query, the better the less, as FTS5 orders: each phrase counts by how rare it is and, ever less, by
// how often it stands in the row; the first columns count more. It is BM25 (https://www.sqlite.org/fts5.html, 5.1.1) without
// the lengths of rows, which would have to be fetched one by one.

typedef struct {
  int phrases;
  double rarity[];
} Rarities;

static const double column_weights[] = {8, 4, 2, 2, 1};
enum { COLUMNS = sizeof column_weights / sizeof column_weights[0], MOST_PHRASES = 64 };

static int count_row(const Fts5ExtensionApi *api, Fts5Context *context, void *count) {
  (void)api, (void)context;
  ++*(sqlite3_int64 *)count;
  return SQLITE_OK;
}

static int rarities(const Fts5ExtensionApi *api, Fts5Context *context, Rarities **result) {
  *result = api->xGetAuxdata(context, 0);
  if (*result) return SQLITE_OK;
  int phrases = api->xPhraseCount(context);
  Rarities *made = sqlite3_malloc64(sizeof *made + sizeof(double) * (sqlite3_uint64)(phrases > 0 ? phrases : 1));
  if (!made) return SQLITE_NOMEM;
  made->phrases = phrases;
  sqlite3_int64 rows = 0;
  int code = phrases > 1 ? api->xRowCount(context, &rows) : SQLITE_OK;
  for (int phrase = 0; phrase < phrases && code == SQLITE_OK; phrase++) {
    // Of a single phrase the rarity changes no order.
    made->rarity[phrase] = 1;
    if (phrases == 1 || phrases > MOST_PHRASES) continue;
    sqlite3_int64 count = 0;
    code = api->xQueryPhrase(context, phrase, &count, count_row);
    // The common ones still count a little. One and the number of rows in `count` bits is near enough to a logarithm.
    double share = ((double)rows - (double)count + 0.5) / ((double)count + 0.5);
    double bits = 0;
    for (double rest = share; rest > 1; rest /= 2) bits += rest < 2 ? rest - 1 : 1;
    made->rarity[phrase] = bits > 0.01 ? bits : 0.01;
  }
  if (code == SQLITE_OK) code = api->xSetAuxdata(context, made, sqlite3_free);
  else sqlite3_free(made);
  *result = made;
  return code;
}

static void rank_row(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values) {
  (void)count, (void)values;
  Rarities *known = NULL;
  int code = rarities(api, context, &known);
  int instances = 0;
  if (code == SQLITE_OK) code = api->xInstCount(context, &instances);
  if (code != SQLITE_OK) {
    sqlite3_result_error_code(result, code);
    return;
  }
  double found[MOST_PHRASES] = {0};
  for (int index = 0; index < instances; index++) {
    int phrase, column, offset;
    code = api->xInst(context, index, &phrase, &column, &offset);
    if (code != SQLITE_OK) {
      sqlite3_result_error_code(result, code);
      return;
    }
    if (phrase < MOST_PHRASES) found[phrase] += column < COLUMNS ? column_weights[column] : 1;
  }
  double score = 0;
  for (int phrase = 0; phrase < known->phrases && phrase < MOST_PHRASES; phrase++) {
    score += known->rarity[phrase] * found[phrase] * 2.2 / (found[phrase] + 1.2);
  }
  sqlite3_result_double(result, -score);
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
  return code == SQLITE_OK ? api->xCreateFunction(api, "helix_rank", NULL, rank_row, NULL) : code;
}
