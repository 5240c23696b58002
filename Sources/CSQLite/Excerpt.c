#include <stdlib.h>
#include <string.h>

#include "FullText.h"

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

// Marks a phrase of `size` words at a place; the first place says which words are shown. 0 if it lies behind those.
static int mark(Excerpt *excerpt, int offset, int size) {
  if (excerpt->hits == 0) {
    excerpt->first = offset > WORDS_BEFORE ? offset - WORDS_BEFORE : 0;
    excerpt->last = excerpt->first + WORDS - 1;
  }
  if (offset > excerpt->last || excerpt->hits == MOST_HITS) return 0;
  // Hits may lie over each other: what is marked already is not marked again.
  int last = offset + size - 1;
  int from = excerpt->hits ? excerpt->hit_last[excerpt->hits - 1] + 1 : offset;
  if (from < offset) from = offset;
  if (last < from) return 1;
  excerpt->hit_first[excerpt->hits] = from;
  excerpt->hit_last[excerpt->hits] = last < excerpt->last ? last : excerpt->last;
  excerpt->hit_start[excerpt->hits] = -1;
  excerpt->hits++;
  return 1;
}

static int find_hits(const Fts5ExtensionApi *api, Fts5Context *context, int wanted, Excerpt *excerpt) {
  int instances = 0;
  int code = api->xInstCount(context, &instances);
  for (int index = 0; index < instances && code == SQLITE_OK; index++) {
    int phrase, column, offset;
    code = api->xInst(context, index, &phrase, &column, &offset);
    if (code != SQLITE_OK || column != wanted) continue;
    if (!mark(excerpt, offset, api->xPhraseSize(context, phrase))) break;
  }
  return code;
}

// The same from what `helix_best` said of a row.
static void recall_hits(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_int64 row, const char *best, Excerpt *excerpt) {
  for (const char *at = best; at && *at;) {
    char *end = NULL;
    sqlite3_int64 number = strtoll(at, &end, 10);
    if (end == at || *end != ':') return;
    long first = strtol(end + 1, &end, 10);
    if (*end != ':') return;
    unsigned long mask = strtoul(end + 1, &end, 10);
    if (number == row) {
      for (int bit = 0; first >= 0 && bit < 32; bit++) {
        if (mask >> bit & 1 && !mark(excerpt, (int)first + bit, api->xPhraseSize(context, 0))) return;
      }
      return;
    }
    at = *end == ' ' ? end + 1 : end;
    if (at == end && *end) return;
  }
}

// `helix_excerpt(TABLE, COLUMN)` of the row at which a query stands; `helix_excerpt(TABLE, ROW, TEXT, BEST)` of any row, whose
// places helix_best told: to ask the index for each row again takes five times as long.
void helix_excerpt_row(
    const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count, sqlite3_value **values) {
  Excerpt excerpt;
  memset(&excerpt, 0, sizeof excerpt);
  const char *text = NULL;
  int length = 0, code = SQLITE_OK;
  if (count == 3) {
    recall_hits(
        api, context, sqlite3_value_int64(values[0]), (const char *)sqlite3_value_text(values[2]), &excerpt);
    text = (const char *)sqlite3_value_text(values[1]);
    length = sqlite3_value_bytes(values[1]);
    if (!text) return;
  } else {
    int column = count > 0 ? sqlite3_value_int(values[0]) : 0;
    code = find_hits(api, context, column, &excerpt);
    if (code == SQLITE_OK && excerpt.hits > 0) code = api->xColumnText(context, column, &text, &length);
  }
  if (code == SQLITE_OK && excerpt.hits == 0) return;
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
