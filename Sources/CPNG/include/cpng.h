// The row API of libpng behind functions that return codes: longjmp never leaves C.
#ifndef QUADRILLE_CPNG_H
#define QUADRILLE_CPNG_H

#include <stddef.h>
#include <stdint.h>

// What a picture may ask for before it is refused. Zero means libpng's own limit.
typedef struct {
  uint32_t max_width;
  uint32_t max_height;
  size_t max_chunk_bytes;
  uint32_t max_chunks;
} cpng_limits;

typedef enum {
  CPNG_OK = 0,
  CPNG_TRUNCATED = 1,
  CPNG_CORRUPT = 2,
  CPNG_NO_MEMORY = 3,
} cpng_status;

// What the rows hold.
typedef enum {
  // 4 bytes a pixel of straight RGBA, whatever the colour type, depth or interlace of the file.
  CPNG_RGBA = 0,
  // The samples of a gray or palette picture as the file has them: a byte each, whatever the depth
  // below 16, else 2 bytes in the order of the machine.
  CPNG_SAMPLES = 1,
} cpng_format;

// One picture being read. The bytes given to cpng_open stay the caller's and outlive the reader.
typedef struct cpng_reader cpng_reader;

// Reads everything before the pixels. On failure `*reader` is NULL and `message` (of `capacity`
// bytes, NUL-terminated) says what libpng found wrong.
cpng_status cpng_open(const uint8_t *bytes, size_t count, const cpng_limits *limits,
                      cpng_format format, cpng_reader **reader, char *message, size_t capacity);

// Whether some pixel may be less than opaque: an alpha channel or a tRNS chunk.
int cpng_has_alpha(const cpng_reader *reader);

// The palette as 256 colours of 4 bytes, straight RGBA; what the file leaves out is opaque black.
// Returns how many colours the file has, 0 for a picture without a palette.
int cpng_palette(const cpng_reader *reader, uint8_t *rgba);

// The one sample of a gray picture that is transparent, or -1.
int cpng_transparent_sample(const cpng_reader *reader);

// Bytes of a row in the format that was asked for.
size_t cpng_row_bytes(const cpng_reader *reader);

// Writes the next row, from the top, as cpng_row_bytes(reader) bytes. With the last row the rest of
// the file is read and checked.
cpng_status cpng_read_row(cpng_reader *reader, uint8_t *row, char *message, size_t capacity);

void cpng_close(cpng_reader *reader);

#endif
