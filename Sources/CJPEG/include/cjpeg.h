// The row API of libjpeg-turbo behind functions that return codes: longjmp never leaves C.
#ifndef QUADRILLE_CJPEG_H
#define QUADRILLE_CJPEG_H

#include <stddef.h>
#include <stdint.h>

// What a picture may ask for before it is refused.
typedef struct {
  uint32_t max_width;
  uint32_t max_height;
  uint64_t max_pixels;
  // Bytes of memory for the coefficients of a picture that comes in several scans.
  uint64_t max_scratch_bytes;
  // Scans of a progressive picture; a hostile one has thousands.
  int max_scans;
} cjpeg_limits;

typedef enum {
  CJPEG_OK = 0,
  CJPEG_TRUNCATED = 1,
  CJPEG_CORRUPT = 2,
  CJPEG_NO_MEMORY = 3,
  CJPEG_TOO_LARGE = 4,
  CJPEG_UNSUPPORTED = 5,
} cjpeg_status;

// One picture being read. The bytes given to cjpeg_open stay the caller's and outlive the reader.
typedef struct cjpeg_reader cjpeg_reader;

typedef struct {
  uint32_t width;
  uint32_t height;
  // Bytes a pixel of the rows: 1 for gray, 3 for red, green, blue.
  uint32_t channels;
} cjpeg_info;

// Reads the header and checks the limits, before anything as large as the picture is allocated. On
// failure `*reader` is NULL and `message` (of `capacity` bytes, NUL-terminated) says what is wrong;
// the sizes that were read stand in `*info`.
cjpeg_status cjpeg_open(const uint8_t *bytes, size_t count, const cjpeg_limits *limits,
                        cjpeg_reader **reader, cjpeg_info *info, char *message, size_t capacity);

// Writes the next row, from the top, as width * channels bytes. With the last row the rest of the
// file is read and checked.
cjpeg_status cjpeg_read_row(cjpeg_reader *reader, uint8_t *row, char *message, size_t capacity);

void cjpeg_close(cjpeg_reader *reader);

// The version of libjpeg-turbo's headers, such as "2.1.5".
const char *cjpeg_version(void);

// Encodes rows of red, green, blue, a byte each, as a baseline JPEG with Huffman codes of its own;
// from quality 90 on colours have the resolution of brightness. `*bytes` is released by
// cjpeg_release; NULL on failure.
cjpeg_status cjpeg_encode(const uint8_t *rgb, uint32_t width, uint32_t height, int quality,
                          uint8_t **bytes, size_t *count);

void cjpeg_release(uint8_t *bytes);

#endif
