#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>

// sqlite3_db_config takes variable arguments, which Swift cannot call: one face for the on/off options.
static inline int quadrille_sqlite3_db_config_flag(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

#define QUADRILLE_OPEN_FILES "/proc/self/fd/"

// SQLite follows no link when it opens a file, since it has resolved them. The system's links to open
// files cannot be resolved: such a file may have lost its name.
static int quadrille_sqlite3_open(const char *path, int flags, int mode) {
  if (strncmp(path, QUADRILLE_OPEN_FILES, sizeof QUADRILLE_OPEN_FILES - 1) == 0) flags &= ~O_NOFOLLOW;
  return open(path, flags, mode);
}

static int quadrille_sqlite3_full_pathname(sqlite3_vfs *access, const char *name, int capacity, char *path) {
  (void)access;
  size_t length = strlen(name);
  if (length >= (size_t)capacity) return SQLITE_CANTOPEN;
  memcpy(path, name, length + 1);
  return SQLITE_OK;
}

// Registers SQLite's own access to files under a second name, by which links are left to the system.
// Returns the name, or NULL where SQLite allows no such change. For one thread at a time.
static inline const char *quadrille_sqlite3_linked_access(void) {
  static const char name[] = "quadrille-linked";
  static sqlite3_vfs access;
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (!system || system->iVersion < 3 || !system->xSetSystemCall) return 0;
  if (system->xSetSystemCall(system, "open", (sqlite3_syscall_ptr)quadrille_sqlite3_open) != SQLITE_OK) return 0;
  access = *system;
  access.zName = name;
  access.xFullPathname = quadrille_sqlite3_full_pathname;
  return sqlite3_vfs_register(&access, 0) == SQLITE_OK ? name : 0;
}
