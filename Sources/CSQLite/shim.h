#include <sqlite3.h>

// sqlite3_db_config takes variable arguments, which Swift cannot call: one face for the on/off options.
static inline int quadrille_sqlite3_db_config_flag(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}
