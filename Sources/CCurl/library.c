#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// libcurl of Debian brings 30 libraries along. Linked, they cost every start of the program 9 ms,
// downloads or not; loaded here they cost the first download that.
static const char *const names[] = {
#ifdef __APPLE__
    "/usr/lib/libcurl.4.dylib",
#else
    "libcurl.so.4",
    "libcurl-gnutls.so.4",
#endif
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ccurl_library library;
static int is_loaded;

// Where a function is stored, and its name.
typedef struct {
  void **place;
  const char *name;
} ccurl_symbol;

static int find_all(void *image) {
  const ccurl_symbol symbols[] = {
      {(void **)&library.easy_init, "curl_easy_init"},
      {(void **)&library.easy_setopt, "curl_easy_setopt"},
      {(void **)&library.easy_cleanup, "curl_easy_cleanup"},
      {(void **)&library.multi_init, "curl_multi_init"},
      {(void **)&library.multi_add_handle, "curl_multi_add_handle"},
      {(void **)&library.multi_remove_handle, "curl_multi_remove_handle"},
      {(void **)&library.multi_perform, "curl_multi_perform"},
      {(void **)&library.multi_poll, "curl_multi_poll"},
      {(void **)&library.multi_info_read, "curl_multi_info_read"},
      {(void **)&library.multi_cleanup, "curl_multi_cleanup"},
      {(void **)&library.slist_append, "curl_slist_append"},
      {(void **)&library.slist_free_all, "curl_slist_free_all"},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    *symbols[index].place = dlsym(image, symbols[index].name);
    if (!*symbols[index].place) return 0;
  }
  return 1;
}

static void load(void) {
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
    void *image = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (!image) continue;
    __typeof__(&curl_global_init) global_init =
        (__typeof__(&curl_global_init))dlsym(image, "curl_global_init");
    if (global_init && find_all(image) && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
      // Never unloaded: it may have left things behind in the thread or at exit.
      is_loaded = 1;
      return;
    }
    dlclose(image);
  }
}

const ccurl_library *ccurl_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &library : NULL;
}
