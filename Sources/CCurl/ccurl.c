#include "ccurl.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "library.h"

struct ccurl_line {
  const ccurl_library *curl;
  CURL *easy;
  // Keeps the connections; the easy handle's own loop would look at us once a second only.
  CURLM *multi;
  const ccurl_listener *listener;
  int has_excess;
};

static size_t on_line(char *bytes, size_t size, size_t count, void *context) {
  ccurl_line *line = context;
  const ccurl_listener *listener = line->listener;
  return listener->on_line(listener->context, bytes, size * count) ? 0 : size * count;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  ccurl_line *line = context;
  const ccurl_listener *listener = line->listener;
  if (!listener->on_body(listener->context, bytes, size * count)) return size * count;
  // Any other count than there is ends the transfer.
  return size * count == 0 ? 1 : 0;
}

// libcurl cuts what is more than announced and tells it only here.
static int on_message(CURL *easy, curl_infotype kind, char *text, size_t count, void *context) {
  (void)easy;
  static const char excess[] = "Excess found";
  if (kind == CURLINFO_TEXT && count >= sizeof excess - 1 &&
      memcmp(text, excess, sizeof excess - 1) == 0) {
    ((ccurl_line *)context)->has_excess = 1;
  }
  return 0;
}

ccurl_line *ccurl_open(void) {
  const ccurl_library *curl = ccurl_load();
  ccurl_line *line = curl ? calloc(1, sizeof *line) : NULL;
  if (!line) return NULL;
  line->curl = curl;
  line->multi = curl->multi_init();
  if (line->multi) return line;
  ccurl_close(line);
  return NULL;
}

void ccurl_close(ccurl_line *line) {
  if (!line) return;
  if (line->multi) line->curl->multi_cleanup(line->multi);
  free(line);
}

// Only these may be asked for. Returns 0 if libcurl cannot be kept to them.
static int restrict_protocols(const ccurl_line *line) {
  const ccurl_library *curl = line->curl;
#if LIBCURL_VERSION_NUM >= 0x075500
  if (curl->easy_setopt(line->easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
      curl->easy_setopt(line->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") == CURLE_OK) {
    return 1;
  }
#endif
  const long both = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  return curl->easy_setopt(line->easy, CURLOPT_PROTOCOLS, both) == CURLE_OK &&
         curl->easy_setopt(line->easy, CURLOPT_REDIR_PROTOCOLS, both) == CURLE_OK;
}

static void set_callbacks(ccurl_line *line) {
  const ccurl_library *curl = line->curl;
  CURL *easy = line->easy;
  curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_line);
  curl->easy_setopt(easy, CURLOPT_HEADERDATA, line);
  curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl->easy_setopt(easy, CURLOPT_WRITEDATA, line);
  curl->easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_message);
  curl->easy_setopt(easy, CURLOPT_DEBUGDATA, line);
  curl->easy_setopt(easy, CURLOPT_VERBOSE, 1L);
}

static ccurl_outcome prepare(ccurl_line *line, const ccurl_request *request,
                             struct curl_slist *headers) {
  const ccurl_library *curl = line->curl;
  CURL *easy = line->easy;
  if (!restrict_protocols(line)) return CCURL_NO_HTTP;
  if (curl->easy_setopt(easy, CURLOPT_URL, request->url) != CURLE_OK) return CCURL_NO_MEMORY;
  curl->easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl->easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl->easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl->easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
  curl->easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  curl->easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  curl->easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl->easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl->easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  // Bodies stay as they come (no CURLOPT_ACCEPT_ENCODING): libcurl takes a packed body that breaks
  // off for a whole one.
  curl->easy_setopt(easy, CURLOPT_BUFFERSIZE, 1L << 17);
  curl->easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_milliseconds);
#if LIBCURL_VERSION_NUM >= 0x075700
  // A name that is still being looked up does not hold up the end.
  curl->easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
  set_callbacks(line);
  return CCURL_OK;
}

static ccurl_outcome outcome(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return CCURL_OK;
    case CURLE_WRITE_ERROR:
      return CCURL_STOPPED;
    case CURLE_URL_MALFORMAT:
      return CCURL_BAD_ADDRESS;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return CCURL_UNKNOWN_HOST;
    case CURLE_COULDNT_CONNECT:
      return CCURL_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT:
      return CCURL_TIMEOUT;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
      return CCURL_UNTRUSTED;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_USE_SSL_FAILED:
      return CCURL_NO_TLS;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return CCURL_NO_HTTP;
    case CURLE_BAD_CONTENT_ENCODING:
      return CCURL_BAD_CODING;
    case CURLE_OUT_OF_MEMORY:
      return CCURL_NO_MEMORY;
    default:
      return CCURL_BROKEN;
  }
}

// Works until the transfer ends by itself or by the listener.
static ccurl_outcome run(ccurl_line *line) {
  const ccurl_library *curl = line->curl;
  const ccurl_listener *listener = line->listener;
  int running = 0;
  do {
    if (curl->multi_perform(line->multi, &running) != CURLM_OK) return CCURL_BROKEN;
    if (listener->on_turn(listener->context)) return CCURL_STOPPED;
    if (running && curl->multi_poll(line->multi, NULL, 0, 100, NULL) != CURLM_OK) {
      return CCURL_BROKEN;
    }
  } while (running);
  int left = 0;
  const CURLMsg *message;
  while ((message = curl->multi_info_read(line->multi, &left))) {
    if (message->msg == CURLMSG_DONE) return outcome(message->data.result);
  }
  return CCURL_BROKEN;
}

// Writing to a connection that is gone must not end the process: with CURLOPT_NOSIGNAL libcurl
// leaves that to us. The signal goes to the thread that writes, so it is blocked there.
static ccurl_outcome run_without_sigpipe(ccurl_line *line) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigemptyset(&pending);
  sigpending(&pending);
  const int was_pending = sigismember(&pending, SIGPIPE) == 1;
  if (pthread_sigmask(SIG_BLOCK, &pipe, &before) != 0) return CCURL_NO_MEMORY;
  const ccurl_outcome outcome = run(line);
  sigpending(&pending);
  if (!was_pending && sigismember(&pending, SIGPIPE) == 1) {
#ifdef __APPLE__
    int number;
    sigwait(&pipe, &number);
#else
    // Another thread may have taken one that is the process'.
    const struct timespec now = {0, 0};
    sigtimedwait(&pipe, NULL, &now);
#endif
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return outcome;
}

ccurl_outcome ccurl_get(ccurl_line *line, const ccurl_request *request,
                        const ccurl_listener *listener) {
  const ccurl_library *curl = line->curl;
  struct curl_slist *headers = NULL;
  for (const char *text = request->headers; *text; text += strlen(text) + 1) {
    struct curl_slist *longer = curl->slist_append(headers, text);
    if (!longer) {
      curl->slist_free_all(headers);
      return CCURL_NO_MEMORY;
    }
    headers = longer;
  }
  line->listener = listener;
  line->has_excess = 0;
  // A handle of its own: libcurl before 8.0 keeps a pointer to the last header line of the transfer
  // before, and reads it when an answer begins with a folded line. Open connections are the multi
  // handle's, so they outlive it.
  line->easy = curl->easy_init();
  ccurl_outcome outcome = line->easy ? prepare(line, request, headers) : CCURL_NO_MEMORY;
  if (outcome == CCURL_OK) {
    if (curl->multi_add_handle(line->multi, line->easy) == CURLM_OK) {
      outcome = run_without_sigpipe(line);
      curl->multi_remove_handle(line->multi, line->easy);
    } else {
      outcome = CCURL_NO_MEMORY;
    }
  }
  // Nothing of this transfer stays in the handle, its secrets least of all.
  if (line->easy) curl->easy_cleanup(line->easy);
  line->easy = NULL;
  curl->slist_free_all(headers);
  line->listener = NULL;
  return outcome == CCURL_OK && line->has_excess ? CCURL_EXCESS : outcome;
}
