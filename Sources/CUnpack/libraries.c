#include "libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#ifdef __APPLE__
static const char *const zstd_names[] = {
    "/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib", "libzstd.1.dylib", NULL};
static const char *const bzip2_names[] = {"/usr/lib/libbz2.1.0.dylib", NULL};
static const char *const isal_names[] = {
    "/opt/homebrew/lib/libisal.2.dylib", "/usr/local/lib/libisal.2.dylib", NULL};
#else
static const char *const zstd_names[] = {"libzstd.so.1", NULL};
static const char *const bzip2_names[] = {"libbz2.so.1.0", "libbz2.so.1", NULL};
static const char *const isal_names[] = {"libisal.so.2", NULL};
#endif

// Where a function is stored, and its name.
typedef struct {
  void **place;
  const char *name;
} symbol;

static pthread_once_t zstd_once = PTHREAD_ONCE_INIT;
static pthread_once_t bzip2_once = PTHREAD_ONCE_INIT;
static pthread_once_t isal_once = PTHREAD_ONCE_INIT;
static cunpack_zstd zstd;
static cunpack_bzip2 bzip2;
static cunpack_isal isal;
static int has_zstd;
static int has_bzip2;
static int has_isal;

// Whether one of the images has all of the symbols; it is never unloaded.
static int find(const char *const *names, const symbol *symbols, size_t count) {
  for (; *names; names++) {
    void *image = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (!image) continue;
    size_t found = 0;
    while (found < count && (*symbols[found].place = dlsym(image, symbols[found].name))) found++;
    if (found == count) return 1;
    dlclose(image);
  }
  return 0;
}

static void load_zstd(void) {
  const symbol symbols[] = {
      {(void **)&zstd.create, "ZSTD_createDStream"},
      {(void **)&zstd.release, "ZSTD_freeDStream"},
      {(void **)&zstd.set_parameter, "ZSTD_DCtx_setParameter"},
      {(void **)&zstd.decompress, "ZSTD_decompressStream"},
      {(void **)&zstd.is_error, "ZSTD_isError"},
      {(void **)&zstd.error_name, "ZSTD_getErrorName"},
  };
  has_zstd = find(zstd_names, symbols, sizeof symbols / sizeof symbols[0]);
}

static void load_bzip2(void) {
  const symbol symbols[] = {
      {(void **)&bzip2.init, "BZ2_bzDecompressInit"},
      {(void **)&bzip2.decompress, "BZ2_bzDecompress"},
      {(void **)&bzip2.end, "BZ2_bzDecompressEnd"},
  };
  has_bzip2 = find(bzip2_names, symbols, sizeof symbols / sizeof symbols[0]);
}

static void load_isal(void) {
  const symbol symbols[] = {
      {(void **)&isal.init, "isal_inflate_init"},
      {(void **)&isal.inflate, "isal_inflate"},
  };
  has_isal = CUNPACK_HAS_ISAL && find(isal_names, symbols, sizeof symbols / sizeof symbols[0]);
}

const cunpack_zstd *cunpack_load_zstd(void) {
  pthread_once(&zstd_once, load_zstd);
  return has_zstd ? &zstd : NULL;
}

const cunpack_bzip2 *cunpack_load_bzip2(void) {
  pthread_once(&bzip2_once, load_bzip2);
  return has_bzip2 ? &bzip2 : NULL;
}

const cunpack_isal *cunpack_load_isal(void) {
  pthread_once(&isal_once, load_isal);
  return has_isal ? &isal : NULL;
}
