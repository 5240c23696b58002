#include <stdlib.h>
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

// How well a row fits a query, the better the less, as FTS5 orders: each phrase counts by how rare it is and, ever less, by
// how often it stands in the row; the first columns count more. It is BM25 (https://www.sqlite.org/fts5.html, 5.1.1) without
// the lengths of rows, which would have to be fetched one by one.

typedef struct {
  int phrases;
  double rarity[];
} Rarities;

static const double column_weights[] = {8, 4, 2, 2, 1};
enum { COLUMNS = sizeof column_weights / sizeof column_weights[0], MOST_PHRASES = 64, ENOUGH = 60 };

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
  double found[MOST_PHRASES] = {0};
  for (int phrase = 0; code == SQLITE_OK && phrase < known->phrases && phrase < MOST_PHRASES; phrase++) {
    Fts5PhraseIter place;
    int column, offset;
    code = api->xPhraseFirst(context, phrase, &place, &column, &offset);
    // More than so many places make no difference.
    while (code == SQLITE_OK && column >= 0 && found[phrase] < ENOUGH) {
      found[phrase] += column < COLUMNS ? column_weights[column] : 1;
      api->xPhraseNext(context, &place, &column, &offset);
    }
  }
  if (code != SQLITE_OK) {
    sqlite3_result_error_code(result, code);
    return;
  }
  double score = 0;
  for (int phrase = 0; phrase < known->phrases && phrase < MOST_PHRASES; phrase++) {
    score += known->rarity[phrase] * found[phrase] * 2.2 / (found[phrase] + 1.2);
  }
  sqlite3_result_double(result, -score);
}

// The best rows of a query of one phrase, the best first and of equals the newest: their numbers with blanks between. To go
// through all rows here, and not in a statement that sorts them, takes half the time where a word is in nearly all of them.
// NULL if the query has several phrases.

typedef struct {
  sqlite3_int64 row;
  double found;
} Hit;

typedef struct {
  int count, limit;
  Hit heap[];  // the worst on top
} Hits;

static int is_worse(Hit a, Hit b) { return a.found < b.found || (a.found == b.found && a.row < b.row); }

static void sink(Hits *hits, int place) {
  for (;;) {
    int least = place;
    for (int child = 2 * place + 1; child <= 2 * place + 2 && child < hits->count; child++) {
      if (is_worse(hits->heap[child], hits->heap[least])) least = child;
    }
    if (least == place) return;
    Hit moved = hits->heap[place];
    hits->heap[place] = hits->heap[least];
    hits->heap[least] = moved;
    place = least;
  }
}

static int keep_hit(const Fts5ExtensionApi *api, Fts5Context *context, void *data) {
  Hits *hits = data;
  Hit hit = {api->xRowid(context), 0};
  Fts5PhraseIter place;
  int column, offset, places = 0;
  int code = api->xPhraseFirst(context, 0, &place, &column, &offset);
  while (code == SQLITE_OK && column >= 0 && hit.found < ENOUGH && places++ < ENOUGH) {
    hit.found += column < COLUMNS ? column_weights[column] : 1;
    api->xPhraseNext(context, &place, &column, &offset);
  }
  if (code != SQLITE_OK) return code;
  if (hits->count < hits->limit) {
    hits->heap[hits->count++] = hit;
    // A heap only once it is full: until then nothing is compared.
    if (hits->count == hits->limit) {
      for (int top = hits->limit / 2; top >= 0; top--) sink(hits, top);
    }
  } else if (is_worse(hits->heap[0], hit)) {
    hits->heap[0] = hit;
    sink(hits, 0);
  }
  return SQLITE_OK;
}

static int compare_hits(const void *a, const void *b) { return is_worse(*(const Hit *)a, *(const Hit *)b) ? 1 : -1; }

static void best_rows(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values) {
  int limit = count > 0 ? sqlite3_value_int(values[0]) : 0;
  if (api->xPhraseCount(context) != 1 || limit < 1 || limit > 100000) return;
  Hits *hits = sqlite3_malloc64(sizeof *hits + sizeof(Hit) * (sqlite3_uint64)limit);
  if (!hits) return sqlite3_result_error_nomem(result);
  hits->count = 0;
  hits->limit = limit;
  int code = api->xQueryPhrase(context, 0, hits, keep_hit);
  if (code == SQLITE_OK) {
    qsort(hits->heap, (size_t)hits->count, sizeof(Hit), compare_hits);
    sqlite3_str *out = sqlite3_str_new(NULL);
    for (int place = 0; place < hits->count; place++) {
      sqlite3_str_appendf(out, place ? " %lld" : "%lld", hits->heap[place].row);
    }
    int size = sqlite3_str_length(out);
    char *made = sqlite3_str_finish(out);
    if (made) sqlite3_result_text(result, made, size, sqlite3_free);
    else sqlite3_result_error_nomem(result);
  } else {
    sqlite3_result_error_code(result, code);
  }
  sqlite3_free(hits);
}

// Where the words of a query stand first in a column: some words from a little before them on, hits between the characters
// 2 and 3, and '…' where the text goes on. NULL if they stand in other columns only. SQLite's own snippet() weighs all
// places, for which it reads every text to its end; this one stops where it has enough.

enum { WORDS = 14, WORDS_BEFORE = 4, MOST_HITS = 16 };

typedef struct {
  int first, last;  // the words that are shown
  int hits;
  int hit_first[MOST_HITS], hit_last[MOST_HITS];
  int word;
  int start, end;  // bytes
  int hit_start[MOST_HITS], hit_end[MOST_HITS];
  int is_cut;
} Excerpt;

static int take_word(void *context, int flags, const char *token, int count, int start, int end) {
  (void)token, (void)count;
  Excerpt *excerpt = context;
  if (flags & FTS5_TOKEN_COLOCATED) return SQLITE_OK;
  int word = excerpt->word++;
  if (word < excerpt->first) return SQLITE_OK;
  if (word > excerpt->last) {
    excerpt->is_cut = 1;
    return SQLITE_DONE;
  }
  if (word == excerpt->first) excerpt->start = start;
  // The pieces of a word whose places cannot be told have all of it.
  if (end > excerpt->end) excerpt->end = end;
  for (int hit = 0; hit < excerpt->hits; hit++) {
    if (word < excerpt->hit_first[hit] || word > excerpt->hit_last[hit]) continue;
    if (excerpt->hit_start[hit] < 0) excerpt->hit_start[hit] = start;
    excerpt->hit_end[hit] = end;
  }
  return SQLITE_OK;
}

static int find_hits(const Fts5ExtensionApi *api, Fts5Context *context, int wanted, Excerpt *excerpt) {
  int instances = 0;
  int code = api->xInstCount(context, &instances);
  for (int index = 0; index < instances && code == SQLITE_OK && excerpt->hits < MOST_HITS; index++) {
    int phrase, column, offset;
    code = api->xInst(context, index, &phrase, &column, &offset);
    if (code != SQLITE_OK || column != wanted) continue;
    if (excerpt->hits == 0) {
      excerpt->first = offset > WORDS_BEFORE ? offset - WORDS_BEFORE : 0;
      excerpt->last = excerpt->first + WORDS - 1;
    }
    if (offset > excerpt->last) break;
    // Hits of several phrases may lie over each other: what is marked already is not marked again.
    int last = offset + api->xPhraseSize(context, phrase) - 1;
    int from = excerpt->hits ? excerpt->hit_last[excerpt->hits - 1] + 1 : offset;
    if (from < offset) from = offset;
    if (last < from) continue;
    excerpt->hit_first[excerpt->hits] = from;
    excerpt->hit_last[excerpt->hits] = last < excerpt->last ? last : excerpt->last;
    excerpt->hit_start[excerpt->hits] = -1;
    excerpt->hits++;
  }
  return code;
}

static void excerpt_row(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values) {
  Excerpt excerpt;
  memset(&excerpt, 0, sizeof excerpt);
  int column = count > 0 ? sqlite3_value_int(values[0]) : 0;
  const char *text = NULL;
  int length = 0;
  int code = find_hits(api, context, column, &excerpt);
  if (code == SQLITE_OK && excerpt.hits == 0) return;
  if (code == SQLITE_OK) code = api->xColumnText(context, column, &text, &length);
  if (code == SQLITE_OK) code = api->xTokenize(context, text, length, &excerpt, take_word);
  if (code != SQLITE_OK && code != SQLITE_DONE) {
    sqlite3_result_error_code(result, code);
    return;
  }
  sqlite3_str *out = sqlite3_str_new(NULL);
  if (excerpt.first > 0) sqlite3_str_appendall(out, "\xE2\x80\xA6");
  int place = excerpt.start;
  for (int hit = 0; hit < excerpt.hits; hit++) {
    int from = excerpt.hit_start[hit], to = excerpt.hit_end[hit];
    if (from < place || to <= from) continue;
    sqlite3_str_append(out, text + place, from - place);
    sqlite3_str_appendchar(out, 1, 2);
    sqlite3_str_append(out, text + from, to - from);
    sqlite3_str_appendchar(out, 1, 3);
    place = to;
  }
  if (excerpt.end > place) sqlite3_str_append(out, text + place, excerpt.end - place);
  if (excerpt.is_cut) sqlite3_str_appendall(out, "\xE2\x80\xA6");
  int size = sqlite3_str_length(out);
  char *made = sqlite3_str_finish(out);
  if (made) sqlite3_result_text(result, made, size, sqlite3_free);
  else sqlite3_result_error_nomem(result);
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
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "helix_rank", NULL, rank_row, NULL);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "helix_excerpt", NULL, excerpt_row, NULL);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "helix_best", NULL, best_rows, NULL);
  return code;
}
