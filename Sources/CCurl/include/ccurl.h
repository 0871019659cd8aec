// GET by libcurl behind plain functions: its options are variadic, which Swift cannot call.
#ifndef QUADRILLE_CCURL_H
#define QUADRILLE_CCURL_H

#include <stddef.h>
#include <stdint.h>

// How a transfer ended.
typedef enum {
  CCURL_OK = 0,
  // A callback did not want to go on.
  CCURL_STOPPED = 1,
  CCURL_BAD_ADDRESS = 2,
  CCURL_UNKNOWN_HOST = 3,
  CCURL_UNREACHABLE = 4,
  // The time for the connection is over.
  CCURL_TIMEOUT = 5,
  CCURL_UNTRUSTED = 6,
  CCURL_NO_TLS = 7,
  CCURL_NO_HTTP = 8,
  // A coding of the transfer that is not known, or a body that is not of it.
  CCURL_BAD_CODING = 9,
  // The connection ended too early, or anything else went wrong on it.
  CCURL_BROKEN = 10,
  // More bytes came than the head announced.
  CCURL_EXCESS = 11,
  CCURL_NO_MEMORY = 12,
} ccurl_outcome;

// What to ask for.
typedef struct {
  const char *url;
  // Each `Name: value`, or `Name;` for one without a value, and a NUL; then one more NUL.
  const char *headers;
  int64_t connect_milliseconds;
} ccurl_request;

// Who hears of the transfer, on the thread that performs it. 0 goes on, anything else ends it.
typedef struct {
  void *context;
  // A line of a head with its end; also those of interim answers and of trailers.
  int (*on_line)(void *context, const char *line, size_t count);
  // A piece of the body as it comes, packed or not.
  int (*on_body)(void *context, const char *bytes, size_t count);
  // At least ten times a second, and after every round of work: cheap unless something is due.
  int (*on_turn)(void *context);
} ccurl_listener;

// A handle with its open connections. One thread at a time may use it.
typedef struct ccurl_line ccurl_line;

// Loads libcurl when it is called for the first time, from any thread. Returns NULL if there is
// none, or one older than 7.66, and without memory.
ccurl_line *ccurl_open(void);

// Asks and waits for the end. Redirections are not followed; nothing is remembered but connections.
ccurl_outcome ccurl_get(ccurl_line *line, const ccurl_request *request,
                        const ccurl_listener *listener);

void ccurl_close(ccurl_line *line);

#endif
