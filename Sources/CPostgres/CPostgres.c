#include "CPostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

// Named for tools that list what a program opens at run time (https://systemd.io/ELF_DLOPEN_METADATA).
#define FUNCTIONS(F)                                                                                                       \
  F(PQconnectdbParams) F(PQfinish) F(PQstatus) F(PQerrorMessage) F(PQconnectionNeedsPassword) F(PQparameterStatus)         \
  F(PQsslInUse) F(PQhost) F(PQport) F(PQsendQuery) F(PQsendPrepare) F(PQsendQueryPrepared) F(PQisBusy) F(PQgetResult) F(PQresultStatus) F(PQclear)                  \
  F(PQresultErrorField) F(PQresultErrorMessage) F(PQntuples) F(PQnfields) F(PQfname) F(PQftype) F(PQgetisnull)             \
  F(PQgetvalue) F(PQgetlength) F(PQcmdTuples) F(PQsocket) F(PQconsumeInput) F(PQnotifies) F(PQfreemem)                     \
  F(PQsetNoticeProcessor)

#define DECLARE(name) static __typeof__(name) *p_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_ready = 0;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  int found = 1;
#define RESOLVE(name) found = (p_##name = dlsym(library, #name)) && found;
  FUNCTIONS(RESOLVE)
  is_ready = found;
}

int helix_pg_load(void) {
  pthread_once(&once, load);
  return is_ready;
}

static PGconn *connection_of(helix_pg *connection) { return (PGconn *)connection; }
static PGresult *result_of(helix_pg_result *result) { return (PGresult *)result; }

// Notices are for people at psql.
static void ignore(void *context, const char *message) {
  (void)context;
  (void)message;
}

helix_pg *helix_pg_connect(const char *const *names, const char *const *values) {
  PGconn *made = p_PQconnectdbParams(names, values, 1);
  if (made) p_PQsetNoticeProcessor(made, ignore, NULL);
  return (helix_pg *)made;
}

void helix_pg_close(helix_pg *connection) { p_PQfinish(connection_of(connection)); }
int helix_pg_is_open(helix_pg *connection) { return p_PQstatus(connection_of(connection)) == CONNECTION_OK; }
const char *helix_pg_error(helix_pg *connection) { return p_PQerrorMessage(connection_of(connection)); }
int helix_pg_needs_password(helix_pg *connection) { return p_PQconnectionNeedsPassword(connection_of(connection)); }
const char *helix_pg_parameter(helix_pg *connection, const char *name) {
  return p_PQparameterStatus(connection_of(connection), name);
}
int helix_pg_is_encrypted(helix_pg *connection) { return p_PQsslInUse(connection_of(connection)); }
const char *helix_pg_host(helix_pg *connection) { return p_PQhost(connection_of(connection)); }
const char *helix_pg_port(helix_pg *connection) { return p_PQport(connection_of(connection)); }

static int64_t now_in_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// The last result of what was sent; NULL if there is none in time. Then the connection is closed: the server may still be
// waiting, for a lost standby for example, which it does in a commit without a time limit of its own.
static PGresult *await(PGconn *connection, int milliseconds) {
  int64_t end = now_in_milliseconds() + milliseconds;
  PGresult *last = NULL;
  for (;;) {
    while (p_PQisBusy(connection)) {
      int64_t left = milliseconds < 0 ? -1 : end - now_in_milliseconds();
      struct pollfd polled = {.fd = p_PQsocket(connection), .events = POLLIN};
      int count = milliseconds >= 0 && left <= 0 ? 0 : poll(&polled, 1, (int)left);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        shutdown(p_PQsocket(connection), SHUT_RDWR);
        p_PQconsumeInput(connection);
        if (last) p_PQclear(last);
        return NULL;
      }
      if (!p_PQconsumeInput(connection)) break;
    }
    PGresult *next = p_PQgetResult(connection);
    if (!next) return last;
    if (last) p_PQclear(last);
    last = next;
    // Only the server ends these, and helix copies nothing in or out.
    ExecStatusType status = p_PQresultStatus(last);
    if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) return last;
  }
}

helix_pg_result *helix_pg_run(helix_pg *connection, const char *sql, int milliseconds) {
  if (!p_PQsendQuery(connection_of(connection), sql)) return NULL;
  return (helix_pg_result *)await(connection_of(connection), milliseconds);
}

helix_pg_result *helix_pg_prepare(helix_pg *connection, const char *name, const char *sql, int milliseconds) {
  if (!p_PQsendPrepare(connection_of(connection), name, sql, 0, NULL)) return NULL;
  return (helix_pg_result *)await(connection_of(connection), milliseconds);
}

helix_pg_result *helix_pg_execute(helix_pg *connection, const char *name, int count, const char *const *values,
                                  const int *lengths, const int *is_binary, int milliseconds) {
  if (!p_PQsendQueryPrepared(connection_of(connection), name, count, values, lengths, is_binary, 0)) return NULL;
  return (helix_pg_result *)await(connection_of(connection), milliseconds);
}

int helix_pg_succeeded(helix_pg_result *result) {
  ExecStatusType status = p_PQresultStatus(result_of(result));
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

void helix_pg_clear(helix_pg_result *result) { p_PQclear(result_of(result)); }
const char *helix_pg_state(helix_pg_result *result) { return p_PQresultErrorField(result_of(result), PG_DIAG_SQLSTATE); }
const char *helix_pg_message(helix_pg_result *result) {
  const char *primary = p_PQresultErrorField(result_of(result), PG_DIAG_MESSAGE_PRIMARY);
  return primary ? primary : p_PQresultErrorMessage(result_of(result));
}
const char *helix_pg_hint(helix_pg_result *result) {
  return p_PQresultErrorField(result_of(result), PG_DIAG_MESSAGE_HINT);
}
int helix_pg_rows(helix_pg_result *result) { return p_PQntuples(result_of(result)); }
int helix_pg_columns(helix_pg_result *result) { return p_PQnfields(result_of(result)); }
const char *helix_pg_column(helix_pg_result *result, int column) { return p_PQfname(result_of(result), column); }
uint32_t helix_pg_type(helix_pg_result *result, int column) { return p_PQftype(result_of(result), column); }
int helix_pg_is_null(helix_pg_result *result, int row, int column) {
  return p_PQgetisnull(result_of(result), row, column);
}
const char *helix_pg_value(helix_pg_result *result, int row, int column) {
  return p_PQgetvalue(result_of(result), row, column);
}
int helix_pg_length(helix_pg_result *result, int row, int column) {
  return p_PQgetlength(result_of(result), row, column);
}
int64_t helix_pg_changed(helix_pg_result *result) {
  const char *text = p_PQcmdTuples(result_of(result));
  return text && *text ? strtoll(text, NULL, 10) : 0;
}

int helix_pg_wait(helix_pg *connection, int wake, int milliseconds) {
  int descriptor = p_PQsocket(connection_of(connection));
  if (descriptor < 0) return -1;
  struct pollfd polled[2] = {{.fd = descriptor, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
  int count = poll(polled, wake < 0 ? 1 : 2, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -1;
  if (polled[0].revents) return p_PQconsumeInput(connection_of(connection)) ? 1 : -1;
  return count > 0 ? 2 : 0;
}

static void copy(char *target, const char *source, size_t room) {
  size_t length = source ? strlen(source) : 0;
  if (length >= room) length = room - 1;
  if (length) memcpy(target, source, length);
  target[length] = 0;
}

int helix_pg_notification(helix_pg *connection, char *channel, char *payload, size_t room) {
  PGnotify *found = p_PQnotifies(connection_of(connection));
  if (!found) return 0;
  copy(channel, found->relname, room);
  copy(payload, found->extra, room);
  p_PQfreemem(found);
  return 1;
}
