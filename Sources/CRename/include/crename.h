#ifndef QUADRILLE_CRENAME_H
#define QUADRILLE_CRENAME_H

/// Gives two files or folders each other's names, in one step: at every moment both names lead to
/// one of the two. Swift does not see the calls for that.
///
/// Returns 0, or -1 with `errno`: `ENOSYS`, `ENOTSUP` or `EINVAL` where the system or the file
/// system cannot do it.
int crename_exchange(const char *one, const char *other);

#endif
