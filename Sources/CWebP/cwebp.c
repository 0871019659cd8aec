#include "cwebp.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/encode.h>

// libwebp of Debian brings libsharpyuv along; few runs need either.
#ifdef __APPLE__
static const char *const names[] = {
    "/opt/homebrew/lib/libwebp.7.dylib", "/usr/local/lib/libwebp.7.dylib", "libwebp.7.dylib", NULL};
#else
static const char *const names[] = {"libwebp.so.7", NULL};
#endif

static struct {
  __typeof__(&WebPGetEncoderVersion) version;
  __typeof__(&WebPConfigInitInternal) config_init;
  __typeof__(&WebPConfigLosslessPreset) lossless_preset;
  __typeof__(&WebPValidateConfig) validate;
  __typeof__(&WebPPictureInitInternal) picture_init;
  __typeof__(&WebPPictureFree) picture_free;
  __typeof__(&WebPMemoryWriterInit) writer_init;
  __typeof__(&WebPMemoryWrite) write;
  __typeof__(&WebPMemoryWriterClear) writer_clear;
  __typeof__(&WebPEncode) encode;
  __typeof__(&WebPGetFeaturesInternal) features;
  __typeof__(&WebPDecodeRGBAInto) decode;
} webp;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static int find_all(void *image) {
  const struct {
    void **place;
    const char *name;
  } symbols[] = {
      {(void **)&webp.version, "WebPGetEncoderVersion"},
      {(void **)&webp.config_init, "WebPConfigInitInternal"},
      {(void **)&webp.lossless_preset, "WebPConfigLosslessPreset"},
      {(void **)&webp.validate, "WebPValidateConfig"},
      {(void **)&webp.picture_init, "WebPPictureInitInternal"},
      {(void **)&webp.picture_free, "WebPPictureFree"},
      {(void **)&webp.writer_init, "WebPMemoryWriterInit"},
      {(void **)&webp.write, "WebPMemoryWrite"},
      {(void **)&webp.writer_clear, "WebPMemoryWriterClear"},
      {(void **)&webp.encode, "WebPEncode"},
      {(void **)&webp.features, "WebPGetFeaturesInternal"},
      {(void **)&webp.decode, "WebPDecodeRGBAInto"},
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
      return;
    }
    dlclose(image);
  }
}

static int loaded(void) {
  pthread_once(&once, load);
  return is_loaded;
}

int cwebp_version(void) {
  return loaded() ? webp.version() : 0;
}

// One thread, and effort instead of time limits: the bytes follow from the pixels.
static int configure(WebPConfig *config, cwebp_options options) {
  if (!webp.config_init(config, WEBP_PRESET_DEFAULT, 75.f, WEBP_ENCODER_ABI_VERSION)) return 0;
  if (options.quality < 0) {
    if (!webp.lossless_preset(config, options.effort)) return 0;
  } else {
    config->quality = (float)options.quality;
    config->method = options.effort;
  }
  config->exact = 1;
  config->thread_level = 0;
  return webp.validate(config);
}

cwebp_status cwebp_encode(const uint32_t *argb, int width, int height, cwebp_options options,
                          uint8_t **bytes, size_t *count) {
  *bytes = NULL;
  *count = 0;
  if (!loaded()) return CWEBP_ABSENT;
  WebPConfig config;
  WebPPicture picture;
  if (!configure(&config, options)) return CWEBP_REFUSED;
  if (!webp.picture_init(&picture, WEBP_ENCODER_ABI_VERSION)) return CWEBP_ABSENT;
  WebPMemoryWriter writer;
  webp.writer_init(&writer);
  picture.use_argb = 1;
  picture.width = width;
  picture.height = height;
  // The encoder may write to its picture, so it gets a copy.
  size_t pixels = (size_t)width * (size_t)height;
  uint32_t *copy = malloc(pixels * sizeof *copy);
  if (!copy) return CWEBP_NO_MEMORY;
  memcpy(copy, argb, pixels * sizeof *copy);
  picture.argb = copy;
  picture.argb_stride = width;
  picture.writer = webp.write;
  picture.custom_ptr = &writer;
  int is_done = webp.encode(&config, &picture);
  WebPEncodingError error = picture.error_code;
  webp.picture_free(&picture);
  free(copy);
  if (!is_done) {
    webp.writer_clear(&writer);
    return error == VP8_ENC_ERROR_BAD_DIMENSION ? CWEBP_REFUSED : CWEBP_NO_MEMORY;
  }
  // libwebp releases its memory by WebPFree, which is free(); a copy does not rely on that.
  *bytes = malloc(writer.size ? writer.size : 1);
  if (*bytes) {
    memcpy(*bytes, writer.mem, writer.size);
    *count = writer.size;
  }
  webp.writer_clear(&writer);
  return *bytes ? CWEBP_OK : CWEBP_NO_MEMORY;
}

void cwebp_release(uint8_t *bytes) {
  free(bytes);
}

static cwebp_status status_of(VP8StatusCode code) {
  switch (code) {
    case VP8_STATUS_OK:
      return CWEBP_OK;
    case VP8_STATUS_OUT_OF_MEMORY:
      return CWEBP_NO_MEMORY;
    default:
      return CWEBP_CORRUPT;
  }
}

cwebp_status cwebp_inspect(const uint8_t *bytes, size_t count, cwebp_info *info) {
  memset(info, 0, sizeof *info);
  if (!loaded()) return CWEBP_ABSENT;
  WebPBitstreamFeatures features;
  memset(&features, 0, sizeof features);
  cwebp_status status =
      status_of(webp.features(bytes, count, &features, WEBP_DECODER_ABI_VERSION));
  info->width = features.width;
  info->height = features.height;
  info->has_alpha = features.has_alpha;
  info->is_animated = features.has_animation;
  return status;
}

cwebp_status cwebp_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t capacity,
                          int stride) {
  if (!loaded()) return CWEBP_ABSENT;
  return webp.decode(bytes, count, rgba, capacity, stride) ? CWEBP_OK : CWEBP_CORRUPT;
}
