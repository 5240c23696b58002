#include <stdlib.h>
#include <string.h>

#include "FullText.h"

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

void helix_rank_row(
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

// The best rows of a query of one phrase, the best first and of equals the newest: `NUMBER:FIRST:MASK` with blanks between.
// FIRST is the word at which the phrase stands first in the column asked for, -1 if it does not; bit n of MASK says that
// it also stands n words after that. To go through all rows here, and not in a statement that sorts them, takes half the
// time where a word is in nearly all of them. NULL if the query has several phrases.

typedef struct {
  sqlite3_int64 row;
  double found;
  int first;
  unsigned mask;
} Hit;

typedef struct {
  int count, limit;
  int column;  // whose words are told
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
  Hit hit = {api->xRowid(context), 0, -1, 0};
  Fts5PhraseIter place;
  int column, offset, places = 0;
  double worst = hits->count == hits->limit ? hits->heap[0].found : 0;
  int code = api->xPhraseFirst(context, 0, &place, &column, &offset);
  while (code == SQLITE_OK && column >= 0) {
    int counts = hit.found < ENOUGH && places++ < ENOUGH;
    if (counts) hit.found += column < COLUMNS ? column_weights[column] : 1;
    int beyond = column > hits->column || (column == hits->column && hit.first >= 0 && offset - hit.first > 31);
    if (beyond && !counts) break;
    if (column == hits->column && !beyond) {
      if (hit.first < 0) hit.first = offset;
      hit.mask |= 1u << (offset - hit.first);
    }
    // What is left cannot lift the row above the worst that is kept: a place takes a byte at least, and later columns
    // count no more than this one.
    if (worst > 0 && hit.found + (double)(place.b - place.a) * (column < COLUMNS ? column_weights[column] : 1) < worst) {
      return SQLITE_OK;
    }
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

void helix_best_rows(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values) {
  int limit = count > 0 ? sqlite3_value_int(values[0]) : 0;
  if (api->xPhraseCount(context) != 1 || limit < 1 || limit > 100000) return;
  Hits *hits = sqlite3_malloc64(sizeof *hits + sizeof(Hit) * (sqlite3_uint64)limit);
  if (!hits) return sqlite3_result_error_nomem(result);
  hits->count = 0;
  hits->limit = limit;
  hits->column = count > 1 ? sqlite3_value_int(values[1]) : -1;
  int code = api->xQueryPhrase(context, 0, hits, keep_hit);
  if (code == SQLITE_OK) {
    qsort(hits->heap, (size_t)hits->count, sizeof(Hit), compare_hits);
    sqlite3_str *out = sqlite3_str_new(NULL);
    for (int place = 0; place < hits->count; place++) {
      Hit hit = hits->heap[place];
      sqlite3_str_appendf(out, "%s%lld:%d:%u", place ? " " : "", hit.row, hit.first, hit.mask);
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
