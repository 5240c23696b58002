#ifndef HELIX_CSQLITE_H
#define HELIX_CSQLITE_H

struct sqlite3;

/// Leaves the write-ahead log in place when the last connection closes: a one-row change then costs two
/// fdatasync calls instead of five. The log is still folded in by size. Swift cannot call the variadic
/// sqlite3_db_config itself. Returns SQLITE_OK or an error code.
int helix_sqlite_no_checkpoint_on_close(struct sqlite3 *connection);

#endif
