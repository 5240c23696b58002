#ifndef HELIX_CPOSTGRES_H
#define HELIX_CPOSTGRES_H

#include <stddef.h>
#include <stdint.h>

/// libpq, opened when the first connection is made: only a gateway with PostgreSQL needs it.
///
/// All calls of one connection, and of its results, belong to one thread at a time.

/// Opens libpq. Returns 1, or 0 if it is not installed.
int helix_pg_load(void);

/// A connection.
typedef struct helix_pg helix_pg;
/// The result of a statement.
typedef struct helix_pg_result helix_pg_result;

/// Connects with the parameters of libpq: names and values, both ending with NULL. A value of `dbname` may be a URI, whose
/// parameters override those before it. Returns NULL only without memory: see `helix_pg_is_open`.
helix_pg *helix_pg_connect(const char *const *names, const char *const *values);
void helix_pg_close(helix_pg *connection);
/// Whether the connection is usable.
int helix_pg_is_open(helix_pg *connection);
/// The last error of the connection, as libpq words it.
const char *helix_pg_error(helix_pg *connection);
/// Whether the last attempt failed because a password was needed and none was given.
int helix_pg_needs_password(helix_pg *connection);
/// A parameter that the server reports, such as `server_version`; NULL if it reports none.
const char *helix_pg_parameter(helix_pg *connection, const char *name);
/// Whether the stream is encrypted.
int helix_pg_is_encrypted(helix_pg *connection);
const char *helix_pg_host(helix_pg *connection);
const char *helix_pg_port(helix_pg *connection);

/// Runs one or more statements without parameters. NULL if there is no answer after that time, -1 for no limit: then the
/// connection is closed.
helix_pg_result *helix_pg_run(helix_pg *connection, const char *sql, int milliseconds);
/// Prepares a statement under a name.
helix_pg_result *helix_pg_prepare(helix_pg *connection, const char *name, const char *sql, int milliseconds);
/// Runs a prepared statement, with a time limit. A value of NULL is SQL's null; `is_binary` marks those that are bytes.
helix_pg_result *helix_pg_execute(helix_pg *connection, const char *name, int count, const char *const *values,
                                  const int *lengths, const int *is_binary, int milliseconds);

/// Whether the statement succeeded.
int helix_pg_succeeded(helix_pg_result *result);
void helix_pg_clear(helix_pg_result *result);
/// The SQLSTATE, the message, and the hint of a failed statement; each may be NULL.
const char *helix_pg_state(helix_pg_result *result);
const char *helix_pg_message(helix_pg_result *result);
const char *helix_pg_hint(helix_pg_result *result);
int helix_pg_rows(helix_pg_result *result);
int helix_pg_columns(helix_pg_result *result);
const char *helix_pg_column(helix_pg_result *result, int column);
/// The OID of a column's type.
uint32_t helix_pg_type(helix_pg_result *result, int column);
int helix_pg_is_null(helix_pg_result *result, int row, int column);
const char *helix_pg_value(helix_pg_result *result, int row, int column);
int helix_pg_length(helix_pg_result *result, int row, int column);
/// The number of rows that the statement changed.
int64_t helix_pg_changed(helix_pg_result *result);

/// Waits until something arrives, or until `wake` can be read (-1 for none). Returns 1 if something did, 2 if it is `wake`, 0
/// after that many milliseconds, -1 if the connection is lost.
int helix_pg_wait(helix_pg *connection, int wake, int milliseconds);
/// The next notification, copied into the buffers, which both have `room` bytes. Returns 1, or 0 if there is none.
int helix_pg_notification(helix_pg *connection, char *channel, char *payload, size_t room);

#endif
