#include "CSQLite.h"

int helix_sqlite_configure(sqlite3 *connection) {
  const struct {
    int option;
    int value;
  } settings[] = {
      {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1}, {SQLITE_DBCONFIG_DQS_DML, 0},     {SQLITE_DBCONFIG_DQS_DDL, 0},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},   {SQLITE_DBCONFIG_ENABLE_FKEY, 1},
  };
  for (unsigned long index = 0; index < sizeof settings / sizeof settings[0]; index++) {
    int code = sqlite3_db_config(connection, settings[index].option, settings[index].value, (int *)0);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

int helix_sqlite_initialize(void) {
  int code = sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) : code;
}
