#include "CSQLite.h"

#include <stdlib.h>
#include <string.h>

struct helix_sqlite_guard {
  int compiling;
  /// The names, each with a blank before and after it.
  char tables[];
};

static int contains(const helix_sqlite_guard *guard, const char *table) {
  size_t length = strlen(table);
  for (const char *place = guard->tables; (place = strstr(place, table)) != 0; place += length)
    if (place[-1] == ' ' && place[length] == ' ') return 1;
  return 0;
}

/// https://www.sqlite.org/c3ref/set_authorizer.html; `by` is the view or trigger that reads.
static int authorize(void *context, int action, const char *first, const char *second, const char *database, const char *by) {
  const helix_sqlite_guard *guard = context;
  switch (action) {
    case SQLITE_READ:
      if (guard->compiling != 1 || by || !first || !database || strcmp(database, "main") != 0) return SQLITE_OK;
      // A view of which no column is used is reported as its table without a column, and without the view.
      if (!second || !*second) return SQLITE_OK;
      return contains(guard, first) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
    case SQLITE_DROP_TEMP_VIEW:
      return SQLITE_DENY;
    default:
      return SQLITE_OK;
  }
}

helix_sqlite_guard *helix_sqlite_guard_create(sqlite3 *connection, const char *tables) {
  size_t length = strlen(tables);
  helix_sqlite_guard *guard = malloc(sizeof *guard + length + 3);
  if (!guard) return 0;
  guard->compiling = 0;
  guard->tables[0] = ' ';
  memcpy(guard->tables + 1, tables, length);
  memcpy(guard->tables + 1 + length, " ", 2);
  sqlite3_set_authorizer(connection, authorize, guard);
  return guard;
}

void helix_sqlite_guard_set(helix_sqlite_guard *guard, int compiling) { guard->compiling = compiling; }

void helix_sqlite_guard_free(helix_sqlite_guard *guard) { free(guard); }
