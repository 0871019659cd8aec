// The functions of libcurl, found at run time.
#ifndef QUADRILLE_CCURL_LIBRARY_H
#define QUADRILLE_CCURL_LIBRARY_H

// An older libcurl at run time has only what newer headers call deprecated.
#define CURL_DISABLE_DEPRECATION
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef struct {
  __typeof__(&curl_easy_init) easy_init;
  __typeof__(&curl_easy_setopt) easy_setopt;
  __typeof__(&curl_easy_cleanup) easy_cleanup;
  __typeof__(&curl_multi_init) multi_init;
  __typeof__(&curl_multi_add_handle) multi_add_handle;
  __typeof__(&curl_multi_remove_handle) multi_remove_handle;
  __typeof__(&curl_multi_perform) multi_perform;
  __typeof__(&curl_multi_poll) multi_poll;
  __typeof__(&curl_multi_info_read) multi_info_read;
  __typeof__(&curl_multi_cleanup) multi_cleanup;
  __typeof__(&curl_slist_append) slist_append;
  __typeof__(&curl_slist_free_all) slist_free_all;
} ccurl_library;

// The library, initialised; loaded by the first call. NULL if there is none that will do.
const ccurl_library *ccurl_load(void);

#endif
