#if defined(__linux__)
// For sync_file_range.
#define _GNU_SOURCE
#endif

#include "cfiles.h"

#include <errno.h>

#if defined(__APPLE__)

#include <stdio.h>

int cfiles_exchange(const char *one, const char *other) {
  return renamex_np(one, other, RENAME_SWAP);
}

#elif defined(__linux__)

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// As <linux/fs.h> has it.
#define CFILES_EXCHANGE 2u

int cfiles_exchange(const char *one, const char *other) {
#if defined(SYS_renameat2)
  // Not by the library's function: glibc before 2.28 and musl have none.
  return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, CFILES_EXCHANGE);
#else
  (void)one;
  (void)other;
  errno = ENOSYS;
  return -1;
#endif
}

#else

int cfiles_exchange(const char *one, const char *other) {
  (void)one;
  (void)other;
  errno = ENOSYS;
  return -1;
}

#endif

#if defined(__linux__) && defined(SYS_copy_file_range)

ssize_t cfiles_copy_range(int source, off_t start, int target, off_t place, size_t count) {
  // As above: older libraries have none, and some of them copied in a loop of their own.
  long long from = start, to = place;
  return syscall(SYS_copy_file_range, source, &from, target, &to, count, 0u);
}

#else

ssize_t cfiles_copy_range(int source, off_t start, int target, off_t place, size_t count) {
  (void)source;
  (void)start;
  (void)target;
  (void)place;
  (void)count;
  errno = ENOSYS;
  return -1;
}

#endif

#if defined(__linux__)

void cfiles_begin_writing(int file, off_t start, off_t count) {
  sync_file_range(file, start, count, SYNC_FILE_RANGE_WRITE);
}

#else

void cfiles_begin_writing(int file, off_t start, off_t count) {
  (void)file;
  (void)start;
  (void)count;
}

#endif
