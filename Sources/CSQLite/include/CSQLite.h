#ifndef HELIX_CSQLITE_H
#define HELIX_CSQLITE_H

#include <sqlite3.h>

/// Sets a connection up as helix wants it; Swift cannot call the variadic sqlite3_db_config itself.
///
/// - The write-ahead log stays in place when the last connection closes: a one-row change then costs two fdatasync
///   calls instead of five. The log is folded in by size.
/// - Text in double quotes is a name and never a string, so that a mistyped column is an error.
/// - Functions named in the schema of a file from elsewhere cannot reach out of it.
/// - Foreign keys are checked.
///
/// Returns SQLITE_OK or an error code.
int helix_sqlite_configure(sqlite3 *connection);

/// Tells SQLite, before anything else is asked of it, that one thread uses it and that nobody asks how much memory it
/// took: it then takes no lock each time it allocates. Returns SQLITE_OK or an error code.
int helix_sqlite_initialize(void);

/// Adds to a connection the tokenizer `scripts`, `unicode61` that also finds words in scripts without blanks, the order
/// `helix_rank`, and the functions `helix_best`, `helix_excerpt` and `helix_has`. Returns SQLITE_OK or an error code.
int helix_sqlite_add_tokenizer(sqlite3 *connection);

/// A guard of a connection whose tables are hidden behind temporary views of the same names.
typedef struct helix_sqlite_guard helix_sqlite_guard;

/// Guards a connection: no statement that helix compiles may read one of the named tables except through a view, other
/// databases cannot be attached, and the views stay. `tables` is separated by blanks. Returns null without memory.
helix_sqlite_guard *helix_sqlite_guard_create(sqlite3 *connection, const char *tables);

/// Tells a guard what is compiled: 0 nothing, 1 a statement that reads, 2 one that writes, and may read the tables that it
/// writes. Full-text search compiles statements of its own while others run, which read what it indexes.
void helix_sqlite_guard_set(helix_sqlite_guard *guard, int compiling);

/// Frees a guard, after its connection was closed.
void helix_sqlite_guard_free(helix_sqlite_guard *guard);

#endif
