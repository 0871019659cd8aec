// The unpackers of Zstandard, bzip2 and bare deflate (ISA-L) behind one plain interface; the libraries
// are loaded at the first file that needs them.
#ifndef QUADRILLE_CUNPACK_H
#define QUADRILLE_CUNPACK_H

#include <stddef.h>

typedef enum {
  CUNPACK_ZSTD = 0,
  CUNPACK_BZIP2 = 1,
  // Bare deflate streams (RFC 1951), by ISA-L: two to five times as fast as zlib.
  CUNPACK_DEFLATE = 2,
} cunpack_format;

typedef enum {
  // There may be more to come.
  CUNPACK_MORE = 0,
  // A frame of Zstandard, or a stream of bzip2 or deflate, ended.
  CUNPACK_END = 1,
  // The bytes are not of the format, or their checksum is not theirs.
  CUNPACK_DAMAGED = 2,
  // They would take more memory than is allowed or there.
  CUNPACK_NO_MEMORY = 3,
} cunpack_outcome;

// The decoder of one file.
typedef struct cunpack_decoder cunpack_decoder;

// Whether the library of a format can be loaded.
int cunpack_is_available(cunpack_format format);

// Opens a decoder. NULL without the library or without memory.
cunpack_decoder *cunpack_open(cunpack_format format);

void cunpack_close(cunpack_decoder *decoder);

// Decodes as much as both buffers allow; the counts become those of the bytes used and written.
// Behind the end of a frame or stream the next one is expected. At the end of a deflate stream
// `input_count` may be negative: up to CUNPACK_LOOKAHEAD bytes of earlier inputs were not used.
cunpack_outcome cunpack_step(cunpack_decoder *decoder, const void *input, ptrdiff_t *input_count,
                             void *output, size_t *output_count);

enum { CUNPACK_LOOKAHEAD = 8 };

#endif
