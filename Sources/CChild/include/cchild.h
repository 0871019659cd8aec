#ifndef QUADRILLE_CCHILD_H
#define QUADRILLE_CCHILD_H

#include <sys/types.h>

/// A program to start. Texts are C strings; the lists end with a null pointer.
struct cchild_command {
  const char *program;
  char *const *arguments;
  char *const *environment;
  /// The current folder of the child.
  const char *folder;
  /// The file that becomes its standard input.
  const char *input;
  /// The descriptors that become its standard output and standard error.
  int output;
  int errors;
  /// The largest file that it may write and the largest address space, in bytes; 0 for no limit.
  unsigned long long file_bytes;
  unsigned long long memory_bytes;
};

/// Starts a program in a process group of its own, with the default action for each signal and no
/// other descriptors but the leash's other end. On Linux everything in the group is killed when this
/// process ends, however that happens, and the program also when the thread that started it ends;
/// elsewhere it ends when it writes to a pipe that nobody reads.
///
/// Swift cannot do it: between `fork` and `execve` only calls may be made that are safe in a signal
/// handler, and `posix_spawn` knows neither limits nor the death of the parent.
///
/// Returns the process, or -1 with `errno` of the call that failed, also of `execve`. `leash` becomes
/// a descriptor whose closing kills the group on Linux; close it after the child has ended.
pid_t cchild_start(const struct cchild_command *command, int *leash);

/// Whether a child has ended; it stays a zombie, so that its group keeps its number.
int cchild_has_ended(pid_t child);

/// Kills everything in the group of a child.
void cchild_kill(pid_t child);

/// Waits for the end of a child. Returns its exit status, or -1 and the signal that ended it.
int cchild_wait(pid_t child, int *signal);

#endif
