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

// One picture being read. The bytes given to cpng_open stay the caller's and outlive the reader.
typedef struct cpng_reader cpng_reader;

// Reads everything before the pixels. On failure `*reader` is NULL and `message` (of `capacity`
// bytes, NUL-terminated) says what libpng found wrong.
cpng_status cpng_open(const uint8_t *bytes, size_t count, const cpng_limits *limits,
                      cpng_reader **reader, char *message, size_t capacity);

// Writes the next row, from the top, as width * 4 bytes of straight RGBA, whatever the colour type,
// depth or interlace of the file. With the last row the rest of the file is read and checked.
cpng_status cpng_read_row(cpng_reader *reader, uint8_t *rgba, char *message, size_t capacity);

void cpng_close(cpng_reader *reader);

#endif
