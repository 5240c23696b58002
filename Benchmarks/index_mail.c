#define _XOPEN_SOURCE 700

// The yardstick for `helix account add`: parses every message below a folder with GMime, on one core, and fills an SQLite
// database with its headers and an FTS5 index with its text.
//
//     index_mail FOLDER DATABASE

#include <ftw.h>
#include <gmime/gmime.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sqlite3 *db;
static sqlite3_stmt *insert_message, *insert_text;
static long count;

static void run(const char *sql) {
  char *problem = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &problem) != SQLITE_OK) {
    fprintf(stderr, "index_mail: %s\n", problem);
    exit(1);
  }
}

static void collect(GMimeObject *parent, GMimeObject *part, gpointer context) {
  (void)parent;
  if (!GMIME_IS_PART(part)) return;
  GMimeContentType *type = g_mime_object_get_content_type(part);
  const char *disposition = g_mime_object_get_disposition(part);
  if (!g_mime_content_type_is_type(type, "text", "*") || (disposition && strcmp(disposition, "attachment") == 0)) return;
  GMimeDataWrapper *content = g_mime_part_get_content(GMIME_PART(part));
  if (!content) return;
  GMimeStream *memory = g_mime_stream_mem_new();
  GMimeStream *stream = g_mime_stream_filter_new(memory);
  const char *charset = g_mime_object_get_content_type_parameter(part, "charset");
  if (charset) {
    GMimeFilter *convert = g_mime_filter_charset_new(charset, "utf-8");
    if (convert) {
      g_mime_stream_filter_add(GMIME_STREAM_FILTER(stream), convert);
      g_object_unref(convert);
    }
  }
  g_mime_data_wrapper_write_to_stream(content, stream);
  g_mime_stream_flush(stream);
  GByteArray *bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(memory));
  g_string_append_len(context, (const char *)bytes->data, bytes->len);
  g_object_unref(stream);
  g_object_unref(memory);
}

static void bind(sqlite3_stmt *statement, int place, const char *text) {
  sqlite3_bind_text(statement, place, text ? text : "", -1, SQLITE_TRANSIENT);
}

static int visit(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)where;
  if (kind != FTW_F) return 0;
  GMimeStream *stream = g_mime_stream_file_open(path, "r", NULL);
  if (!stream) return 0;
  GMimeParser *parser = g_mime_parser_new_with_stream(stream);
  GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
  if (message) {
    GString *text = g_string_new(NULL);
    g_mime_message_foreach(message, collect, text);
    char *from = internet_address_list_to_string(g_mime_message_get_from(message), NULL, FALSE);
    char *to = internet_address_list_to_string(g_mime_message_get_to(message), NULL, FALSE);
    GDateTime *date = g_mime_message_get_date(message);
    const char *subject = g_mime_message_get_subject(message);
    bind(insert_message, 1, path);
    bind(insert_message, 2, g_mime_message_get_message_id(message));
    bind(insert_message, 3, g_mime_object_get_header(GMIME_OBJECT(message), "References"));
    bind(insert_message, 4, from);
    bind(insert_message, 5, to);
    bind(insert_message, 6, subject);
    sqlite3_bind_int64(insert_message, 7, date ? g_date_time_to_unix(date) : 0);
    sqlite3_bind_int64(insert_message, 8, info->st_size);
    bind(insert_message, 9, text->str);
    sqlite3_step(insert_message);
    sqlite3_reset(insert_message);
    sqlite3_bind_int64(insert_text, 1, sqlite3_last_insert_rowid(db));
    bind(insert_text, 2, subject);
    bind(insert_text, 3, from);
    bind(insert_text, 4, to);
    bind(insert_text, 5, text->str);
    sqlite3_step(insert_text);
    sqlite3_reset(insert_text);
    g_string_free(text, TRUE);
    g_free(from);
    g_free(to);
    g_object_unref(message);
    if (++count % 5000 == 0) run("COMMIT; BEGIN");
  }
  g_object_unref(parser);
  g_object_unref(stream);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  g_mime_init();
  unlink(argv[2]);
  if (sqlite3_open(argv[2], &db) != SQLITE_OK) return 74;
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000;"
      "CREATE TABLE message (n INTEGER PRIMARY KEY, path TEXT, id TEXT, refs TEXT, sender TEXT, recipients TEXT,"
      " subject TEXT, date INTEGER, size INTEGER, body TEXT);"
      "CREATE INDEX message_id ON message(id); CREATE INDEX message_date ON message(date);"
      "CREATE VIRTUAL TABLE message_text USING fts5(subject, sender, recipients, body, content = 'message',"
      " content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2'); BEGIN");
  sqlite3_prepare_v2(db, "INSERT INTO message VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, &insert_message, NULL);
  sqlite3_prepare_v2(
      db, "INSERT INTO message_text (rowid, subject, sender, recipients, body) VALUES (?, ?, ?, ?, ?)", -1, &insert_text,
      NULL);
  nftw(argv[1], visit, 32, FTW_PHYS);
  run("COMMIT");
  sqlite3_finalize(insert_message);
  sqlite3_finalize(insert_text);
  sqlite3_close(db);
  printf("%ld\n", count);
  return 0;
}
