// Pictures as WebP, by libwebp where it is installed: it is loaded by the first call.
#ifndef QUADRILLE_CWEBP_H
#define QUADRILLE_CWEBP_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
  CWEBP_OK = 0,
  // libwebp is not installed.
  CWEBP_ABSENT = 1,
  CWEBP_NO_MEMORY = 2,
  // The bytes are no whole picture.
  CWEBP_CORRUPT = 3,
  // A value is out of its range.
  CWEBP_REFUSED = 4,
} cwebp_status;

// The version of libwebp as 0xMMmmrr; 0 where it is not installed.
int cwebp_version(void);

typedef struct {
  // 0 … 100 for a lossy picture, -1 for a lossless one.
  int quality;
  // 0 (fastest) … 6 (smallest) for a lossy picture, 0 … 9 for a lossless one.
  int effort;
} cwebp_options;

// Encodes pixels of alpha << 24 | red << 16 | green << 8 | blue, straight, row by row. The colours of
// transparent pixels are kept. `*bytes` is released by cwebp_release; NULL on failure.
cwebp_status cwebp_encode(const uint32_t *argb, int width, int height, cwebp_options options,
                          uint8_t **bytes, size_t *count);

void cwebp_release(uint8_t *bytes);

typedef struct {
  int width;
  int height;
  int has_alpha;
  int is_animated;
} cwebp_info;

// Reads the size of a picture.
cwebp_status cwebp_inspect(const uint8_t *bytes, size_t count, cwebp_info *info);

// Decodes a still picture into width * height pixels of red, green, blue, alpha, a byte each.
cwebp_status cwebp_decode(const uint8_t *bytes, size_t count, uint8_t *rgba, size_t capacity,
                          int stride);

#endif
