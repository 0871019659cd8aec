#include "cunpack.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "libraries.h"

// Frames that refer to more than the last 128 MiB are refused, as the zstd program does.
#define WINDOW_LOG 27

struct cunpack_decoder {
  cunpack_format format;
  ZSTD_DStream *zstd;
  bz_stream bzip2;
  struct inflate_state *deflate;
  // Whether `bzip2` is within a stream.
  int is_open;
};

int cunpack_is_available(cunpack_format format) {
  switch (format) {
    case CUNPACK_ZSTD:
      return cunpack_load_zstd() != NULL;
    case CUNPACK_BZIP2:
      return cunpack_load_bzip2() != NULL;
    case CUNPACK_DEFLATE:
      return cunpack_load_isal() != NULL;
  }
  return 0;
}

cunpack_decoder *cunpack_open(cunpack_format format) {
  if (!cunpack_is_available(format)) return NULL;
  cunpack_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->format = format;
  if (format == CUNPACK_BZIP2) return decoder;
#if CUNPACK_HAS_ISAL
  if (format == CUNPACK_DEFLATE) {
    decoder->deflate = malloc(sizeof *decoder->deflate);
    if (decoder->deflate) {
      cunpack_load_isal()->init(decoder->deflate);
      return decoder;
    }
    cunpack_close(decoder);
    return NULL;
  }
#endif
  const cunpack_zstd *zstd = cunpack_load_zstd();
  decoder->zstd = zstd->create();
  if (decoder->zstd &&
      !zstd->is_error(zstd->set_parameter(decoder->zstd, ZSTD_d_windowLogMax, WINDOW_LOG))) {
    return decoder;
  }
  cunpack_close(decoder);
  return NULL;
}

void cunpack_close(cunpack_decoder *decoder) {
  if (!decoder) return;
  if (decoder->zstd) cunpack_load_zstd()->release(decoder->zstd);
  if (decoder->is_open) cunpack_load_bzip2()->end(&decoder->bzip2);
  free(decoder->deflate);
  free(decoder);
}

static cunpack_outcome step_zstd(cunpack_decoder *decoder, const void *input, ptrdiff_t *input_count,
                                 void *output, size_t *output_count) {
  const cunpack_zstd *zstd = cunpack_load_zstd();
  ZSTD_inBuffer in = {input, (size_t)*input_count, 0};
  ZSTD_outBuffer out = {output, *output_count, 0};
  const size_t rest = zstd->decompress(decoder->zstd, &out, &in);
  *input_count = (ptrdiff_t)in.pos;
  *output_count = out.pos;
  if (!zstd->is_error(rest)) return rest == 0 ? CUNPACK_END : CUNPACK_MORE;
  const char *name = zstd->error_name(rest);
  return strstr(name, "memory") ? CUNPACK_NO_MEMORY : CUNPACK_DAMAGED;
}

static unsigned bounded(size_t count) { return count > UINT_MAX ? UINT_MAX : (unsigned)count; }

static cunpack_outcome step_bzip2(cunpack_decoder *decoder, const void *input, ptrdiff_t *input_count,
                                  void *output, size_t *output_count) {
  const cunpack_bzip2 *bzip2 = cunpack_load_bzip2();
  bz_stream *stream = &decoder->bzip2;
  const unsigned in = bounded((size_t)*input_count), out = bounded(*output_count);
  *input_count = 0;
  *output_count = 0;
  if (!decoder->is_open) {
    if (in == 0) return CUNPACK_MORE;
    memset(stream, 0, sizeof *stream);
    if (bzip2->init(stream, 0, 0) != BZ_OK) return CUNPACK_NO_MEMORY;
    decoder->is_open = 1;
  }
  stream->next_in = (char *)input;
  stream->avail_in = in;
  stream->next_out = output;
  stream->avail_out = out;
  const int status = bzip2->decompress(stream);
  *input_count = in - stream->avail_in;
  *output_count = out - stream->avail_out;
  switch (status) {
    case BZ_OK:
      return CUNPACK_MORE;
    case BZ_STREAM_END:
      bzip2->end(stream);
      decoder->is_open = 0;
      return CUNPACK_END;
    case BZ_MEM_ERROR:
      return CUNPACK_NO_MEMORY;
    default:
      return CUNPACK_DAMAGED;
  }
}

#if CUNPACK_HAS_ISAL
static cunpack_outcome step_deflate(cunpack_decoder *decoder, const void *input,
                                    ptrdiff_t *input_count, void *output, size_t *output_count) {
  const cunpack_isal *isal = cunpack_load_isal();
  struct inflate_state *state = decoder->deflate;
  const unsigned in = bounded((size_t)*input_count), out = bounded(*output_count);
  state->next_in = (uint8_t *)input;
  state->avail_in = in;
  state->next_out = output;
  state->avail_out = out;
  const int status = isal->inflate(state);
  *input_count = (ptrdiff_t)in - state->avail_in;
  *output_count = out - state->avail_out;
  if (status != ISAL_DECOMP_OK && status != ISAL_END_INPUT && status != ISAL_OUT_OVERFLOW) {
    return CUNPACK_DAMAGED;
  }
  if (state->block_state != ISAL_BLOCK_FINISH) return CUNPACK_MORE;
  // Whole bytes behind the stream that were read ahead belong to what follows it.
  *input_count -= state->read_in_length / 8;
  isal->init(state);
  return CUNPACK_END;
}
#endif

cunpack_outcome cunpack_step(cunpack_decoder *decoder, const void *input, ptrdiff_t *input_count,
                             void *output, size_t *output_count) {
  switch (decoder->format) {
    case CUNPACK_ZSTD:
      return step_zstd(decoder, input, input_count, output, output_count);
    case CUNPACK_BZIP2:
      return step_bzip2(decoder, input, input_count, output, output_count);
    case CUNPACK_DEFLATE:
#if CUNPACK_HAS_ISAL
      return step_deflate(decoder, input, input_count, output, output_count);
#else
      break;
#endif
  }
  return CUNPACK_DAMAGED;
}
