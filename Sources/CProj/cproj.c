#include "cproj.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// PROJ's interface has been the same since version 6, so its headers are not needed.
typedef struct {
  int major;
  int minor;
  int patch;
  const char *release;
  const char *version;
  const char *searchpath;
  const char *const *paths;
  size_t path_count;
} proj_info_record;

typedef void(log_function)(void *, int, const char *);

#ifdef __APPLE__
static const char *const names[] = {"/opt/homebrew/lib/libproj.dylib", "/usr/local/lib/libproj.dylib",
                                    "libproj.dylib", NULL};
#else
static const char *const names[] = {"libproj.so.25", "libproj.so.26", "libproj.so.22",
                                    "libproj.so.19", "libproj.so",    NULL};
#endif

static struct {
  void *(*context_create)(void);
  void *(*context_destroy)(void *);
  void (*log_func)(void *, void *, log_function *);
  void *(*create_crs_to_crs)(void *, const char *, const char *, void *);
  void *(*normalize)(void *, const void *);
  void *(*destroy)(void *);
  size_t (*trans_generic)(void *, int, double *, size_t, size_t, double *, size_t, size_t, double *,
                          size_t, size_t, double *, size_t, size_t);
  proj_info_record (*info)(void);
} proj;

struct cproj_transform {
  void *context;
  void *operation;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char version[32];

static int find_all(void *image) {
  const struct {
    void **place;
    const char *name;
  } symbols[] = {
      {(void **)&proj.context_create, "proj_context_create"},
      {(void **)&proj.context_destroy, "proj_context_destroy"},
      {(void **)&proj.log_func, "proj_log_func"},
      {(void **)&proj.create_crs_to_crs, "proj_create_crs_to_crs"},
      {(void **)&proj.normalize, "proj_normalize_for_visualization"},
      {(void **)&proj.destroy, "proj_destroy"},
      {(void **)&proj.trans_generic, "proj_trans_generic"},
      {(void **)&proj.info, "proj_info"},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    *symbols[index].place = dlsym(image, symbols[index].name);
    if (!*symbols[index].place) return 0;
  }
  return 1;
}

static void load(void) {
  for (const char *const *name = names; *name; name++) {
    void *image = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    if (!image) continue;
    if (find_all(image)) {
      is_loaded = 1;
      const char *text = proj.info().version;
      if (text) strncpy(version, text, sizeof version - 1);
      return;
    }
    dlclose(image);
  }
}

static int ensure(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *cproj_version(void) { return ensure() ? version : NULL; }

// What PROJ would print, callers word.
static void be_silent(void *data, int level, const char *message) {
  (void)data;
  (void)level;
  (void)message;
}

cproj_status cproj_make(const char *system, cproj_transform **transform) {
  *transform = NULL;
  if (!ensure()) return CPROJ_ABSENT;
  cproj_transform *made = calloc(1, sizeof *made);
  if (!made) return CPROJ_UNKNOWN;
  made->context = proj.context_create();
  if (made->context) {
    proj.log_func(made->context, NULL, be_silent);
    void *given = proj.create_crs_to_crs(made->context, system, "OGC:CRS84", NULL);
    if (given) {
      made->operation = proj.normalize(made->context, given);
      proj.destroy(given);
    }
  }
  if (!made->operation) {
    cproj_release(made);
    return CPROJ_UNKNOWN;
  }
  *transform = made;
  return CPROJ_OK;
}

void cproj_release(cproj_transform *transform) {
  if (!transform) return;
  if (transform->operation) proj.destroy(transform->operation);
  if (transform->context) proj.context_destroy(transform->context);
  free(transform);
}

void cproj_apply(const cproj_transform *transform, double *positions, size_t count) {
  const size_t stride = 2 * sizeof *positions;
  // 1 is the forward direction.
  proj.trans_generic(transform->operation, 1, positions, stride, count, positions + 1, stride, count,
                     NULL, 0, 0, NULL, 0, 0);
}
