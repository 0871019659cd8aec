#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "cchild.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/// The descriptors that are marked one by one where the system cannot mark them all at once.
#define CCHILD_DESCRIPTORS 65536

static void close_on_exec(void) {
#if defined(SYS_close_range)
  // 4 is CLOSE_RANGE_CLOEXEC of <linux/close_range.h>, Linux 5.11.
  if (syscall(SYS_close_range, 3u, ~0u, 4u) == 0) return;
#endif
  struct rlimit limit;
  rlim_t count = CCHILD_DESCRIPTORS;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < count) count = limit.rlim_cur;
  for (int descriptor = 3; descriptor < (int)count; descriptor++)
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

static int set_limit(int resource, unsigned long long bytes) {
  if (bytes == 0) return 0;
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max) limit.rlim_max = (rlim_t)bytes;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

static void reset_signals(void) {
  struct sigaction action = {0};
  action.sa_handler = SIG_DFL;
  // SIGKILL and SIGSTOP cannot be set, which does no harm.
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/// Lets the system kill the group of this process once nobody holds the other end of a pipe any more.
///
/// The end of a pipe is an event of its reader, and the owner of a descriptor may be a group, with
/// any signal for its events (fcntl(2), F_SETOWN, F_SETSIG). It works as long as one process of the
/// group has the descriptor open.
static int tether(int leash) {
#if defined(__linux__)
  if (fcntl(leash, F_SETOWN, -getpgrp()) != 0 || fcntl(leash, F_SETSIG, SIGKILL) != 0) return -1;
  return fcntl(leash, F_SETFL, O_ASYNC);
#else
  (void)leash;
  return 0;
#endif
}

/// Becomes the program; returns only where that fails, with `errno`.
static void become(const struct cchild_command *command, pid_t parent, int leash) {
  setpgid(0, 0);
#if defined(__linux__)
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  if (getppid() != parent) _exit(127);
#else
  (void)parent;
#endif
  if (tether(leash) != 0) return;
  int input = open(command->input, O_RDONLY);
  if (input < 0 || dup2(input, STDIN_FILENO) < 0) return;
  // Both stand above 2, so neither is overwritten by the other.
  if (dup2(command->output, STDOUT_FILENO) < 0 || dup2(command->errors, STDERR_FILENO) < 0) return;
  close_on_exec();
  if (fcntl(leash, F_SETFD, 0) != 0) return;
  if (chdir(command->folder) != 0) return;
  if (set_limit(RLIMIT_FSIZE, command->file_bytes) != 0) return;
#if defined(RLIMIT_AS) && !defined(__APPLE__)
  if (set_limit(RLIMIT_AS, command->memory_bytes) != 0) return;
#endif
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  reset_signals();
  execve(command->program, command->arguments, command->environment);
}

/// Forks without the handlers that libraries have registered by `pthread_atfork`: the one of PROJ
/// closes a database in the child, and waits for ever where another thread was within SQLite. The
/// child needs none of them, since it calls nothing but the system.
static pid_t fork_alone(void) {
#if defined(__linux__) && defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  return _Fork();
#elif defined(__linux__)
  return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#else
  return fork();
#endif
}

static int marked_pipe(int ends[2]) {
#if defined(__linux__)
  // At once: a child that another thread starts in between would keep an end, and the reader of this
  // pipe would wait for that child.
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
    return 0;
  close(ends[0]);
  close(ends[1]);
  return -1;
#endif
}

pid_t cchild_start(const struct cchild_command *command, int *leash) {
  // An end of file says that the program runs, four bytes say why it does not.
  int outcome[2], tie[2];
  if (marked_pipe(outcome) != 0) return -1;
  if (marked_pipe(tie) != 0) {
    int reason = errno;
    close(outcome[0]);
    close(outcome[1]);
    errno = reason;
    return -1;
  }
  pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  // No handler of this program may run in the child.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork_alone();
  if (child == 0) {
    // Otherwise the child itself would keep the end whose closing is its end.
    close(tie[1]);
    become(command, parent, tie[0]);
    int reason = errno;
    ssize_t written = write(outcome[1], &reason, sizeof reason);
    _exit(written == (ssize_t)sizeof reason ? 127 : 126);
  }
  int failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(outcome[1]);
  if (child > 0) {
    // Also here: whoever comes first, the group is there before it is killed.
    setpgid(child, child);
    int reason = 0;
    ssize_t count;
    do count = read(outcome[0], &reason, sizeof reason);
    while (count < 0 && errno == EINTR);
    if (count == (ssize_t)sizeof reason) {
      int signal;
      cchild_wait(child, &signal);
      failure = reason;
      child = -1;
    }
  }
  close(outcome[0]);
  close(tie[0]);
  if (child > 0)
    *leash = tie[1];
  else
    close(tie[1]);
  errno = failure;
  return child;
}

int cchild_has_ended(pid_t child) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != EINTR;
  return info.si_pid == child;
}

void cchild_kill(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

int cchild_wait(pid_t child, int *signal) {
  int status = 0;
  pid_t ended;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  *signal = ended == child && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
