#include "crename.h"

#include <errno.h>

#if defined(__APPLE__)

#include <stdio.h>

int crename_exchange(const char *one, const char *other) {
  return renamex_np(one, other, RENAME_SWAP);
}

#elif defined(__linux__)

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// As <linux/fs.h> has it.
#define CRENAME_EXCHANGE 2u

int crename_exchange(const char *one, const char *other) {
#if defined(SYS_renameat2)
  // Not by the library's function: glibc before 2.28 and musl have none.
  return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, CRENAME_EXCHANGE);
#else
  (void)one;
  (void)other;
  errno = ENOSYS;
  return -1;
#endif
}

#else

int crename_exchange(const char *one, const char *other) {
  (void)one;
  (void)other;
  errno = ENOSYS;
  return -1;
}

#endif
