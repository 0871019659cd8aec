#ifndef QUADRILLE_CFILES_H
#define QUADRILLE_CFILES_H

#include <sys/types.h>

/// Gives two files or folders each other's names, in one step: at every moment both names lead to
/// one of the two. Swift does not see the calls for that.
///
/// Returns 0, or -1 with `errno`: `ENOSYS`, `ENOTSUP` or `EINVAL` where the system or the file
/// system cannot do it.
int cfiles_exchange(const char *one, const char *other);

/// Copies up to `count` bytes from one place in a file to one in another within the system: the
/// bytes do not pass through this process, and file systems that can do so share them.
///
/// Returns their number, 0 at the end of the source, or -1 with `errno`: `ENOSYS`, `EXDEV`, `EINVAL`
/// or another one where the system or the file systems cannot do it.
ssize_t cfiles_copy_range(int source, off_t start, int target, off_t place, size_t count);

/// Asks the system to begin writing a part of a file to the medium, so that a later `fsync` waits for
/// less; does nothing where it cannot be asked.
void cfiles_begin_writing(int file, off_t start, off_t count);

#endif
