#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "climit.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// The signals by which a process ends that gets no memory.
static const int deaths[] = {SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS};

/// The share of the limit, and the least number of bytes, that cannot be had any more where it is used
/// up: nobody tells how much was asked for in vain.
#define CLIMIT_SHARE 8
#define CLIMIT_LEAST (64ul << 20)

static char text[512];
static size_t length;
static size_t wanted;
static int code;
static char stack[1 << 16];

static void end(int number) {
  void *more = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (more == MAP_FAILED) {
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
    _exit(code);
  }
  munmap(more, wanted);
  signal(number, SIG_DFL);
  raise(number);
}

static void put(char character) {
  if (length < sizeof text) text[length++] = character;
}

static void put_number(unsigned long long number) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0) put(digits[--count]);
}

void climit_watch_address_space(const char *sentence, int status) {
#if defined(RLIMIT_AS) && !defined(__APPLE__)
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  wanted = limit.rlim_cur / CLIMIT_SHARE;
  if (wanted < CLIMIT_LEAST) wanted = CLIMIT_LEAST;
  code = status;
  for (const char *next = sentence; *next; next++) {
    if (*next == '%')
      put_number(limit.rlim_cur >> 10);
    else
      put(*next);
  }
  put('\n');
  // The stack of a thread may be what is lacking.
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&own, NULL);
  struct sigaction action = {0};
  action.sa_handler = end;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
    sigaction(deaths[i], &action, NULL);
#else
  (void)sentence;
  (void)status;
#endif
}

void climit_return_memory(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}
