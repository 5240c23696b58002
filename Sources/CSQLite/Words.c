#include <stdlib.h>
#include <string.h>

#include "FullText.h"

// `helix_has(TEXT, PHRASE)`: whether a text has a phrase as the full-text indexes would find it, the last word as a
// beginning; for short texts that have no index. Accents and case do not matter, and parts of words are found in scripts
// without blanks, because the same tokenizer reads both sides.

enum { MOST_TOKENS = 32 };

typedef struct {
  int count;
  int length[MOST_TOKENS];
  char *token[MOST_TOKENS];
  // Bit n is set while the last tokens of the text are the first n + 1 of the phrase.
  unsigned long matched;
  int is_found;
} Phrase;

typedef struct {
  fts5_tokenizer methods;
  Fts5Tokenizer *tokenizer;
} Words;

static void phrase_free(void *pointer) {
  Phrase *phrase = pointer;
  for (int index = 0; index < phrase->count; index++) sqlite3_free(phrase->token[index]);
  sqlite3_free(phrase);
}

static int add_token(void *context, int flags, const char *token, int count, int start, int end) {
  (void)start, (void)end;
  Phrase *phrase = context;
  if (flags & FTS5_TOKEN_COLOCATED) return SQLITE_OK;
  if (phrase->count == MOST_TOKENS) return SQLITE_DONE;
  char *copy = sqlite3_malloc(count + 1);
  if (!copy) return SQLITE_NOMEM;
  memcpy(copy, token, (size_t)count);
  phrase->token[phrase->count] = copy;
  phrase->length[phrase->count++] = count;
  return SQLITE_OK;
}

static int compare_token(void *context, int flags, const char *token, int count, int start, int end) {
  (void)start, (void)end;
  Phrase *phrase = context;
  if (flags & FTS5_TOKEN_COLOCATED) return SQLITE_OK;
  unsigned long matched = 0;
  for (int index = 0; index < phrase->count; index++) {
    if (index > 0 && !(phrase->matched >> (index - 1) & 1)) continue;
    int is_last = index == phrase->count - 1;
    int length = phrase->length[index];
    if (is_last ? count < length : count != length) continue;
    if (memcmp(token, phrase->token[index], (size_t)length) == 0) matched |= 1ul << index;
  }
  phrase->matched = matched;
  if (!(matched >> (phrase->count - 1) & 1)) return SQLITE_OK;
  phrase->is_found = 1;
  return SQLITE_DONE;
}

static void has(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  Words *words = sqlite3_user_data(context);
  const char *text = (const char *)sqlite3_value_text(values[0]);
  if (!text) {
    sqlite3_result_int(context, 0);
    return;
  }
  Phrase *phrase = sqlite3_get_auxdata(context, 1);
  int code = SQLITE_OK;
  if (!phrase) {
    phrase = sqlite3_malloc(sizeof *phrase);
    if (!phrase) {
      sqlite3_result_error_nomem(context);
      return;
    }
    memset(phrase, 0, sizeof *phrase);
    const char *query = (const char *)sqlite3_value_text(values[1]);
    if (query) {
      code = words->methods.xTokenize(
          words->tokenizer, phrase, FTS5_TOKENIZE_QUERY, query, sqlite3_value_bytes(values[1]), add_token);
    }
    if (code == SQLITE_DONE) code = SQLITE_OK;
    sqlite3_set_auxdata(context, 1, phrase, phrase_free);
    // Memory may have been short.
    phrase = sqlite3_get_auxdata(context, 1);
    if (!phrase) code = SQLITE_NOMEM;
  }
  if (code == SQLITE_OK && phrase->count > 0) {
    phrase->matched = 0;
    phrase->is_found = 0;
    code = words->methods.xTokenize(
        words->tokenizer, phrase, FTS5_TOKENIZE_DOCUMENT, text, sqlite3_value_bytes(values[0]), compare_token);
  }
  if (code != SQLITE_OK && code != SQLITE_DONE) {
    sqlite3_result_error_code(context, code);
    return;
  }
  sqlite3_result_int(context, phrase->count > 0 && phrase->is_found);
}

static void words_free(void *pointer) {
  Words *words = pointer;
  if (words->tokenizer) words->methods.xDelete(words->tokenizer);
  sqlite3_free(words);
}

int helix_add_words(sqlite3 *connection, fts5_api *api) {
  Words *words = sqlite3_malloc(sizeof *words);
  if (!words) return SQLITE_NOMEM;
  memset(words, 0, sizeof *words);
  void *inner = NULL;
  const char *arguments[] = {"remove_diacritics", "2"};
  int code = api->xFindTokenizer(api, "scripts", &inner, &words->methods);
  if (code == SQLITE_OK) code = words->methods.xCreate(inner, arguments, 2, &words->tokenizer);
  if (code != SQLITE_OK) {
    words->tokenizer = NULL;
    words_free(words);
    return code;
  }
  return sqlite3_create_function_v2(
      connection, "helix_has", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, words, has, NULL, NULL, words_free);
}
