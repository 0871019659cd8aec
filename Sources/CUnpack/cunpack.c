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
  // Whether `bzip2` is within a stream.
  int is_open;
};

int cunpack_is_available(cunpack_format format) {
  return format == CUNPACK_ZSTD ? cunpack_load_zstd() != NULL : cunpack_load_bzip2() != NULL;
}

cunpack_decoder *cunpack_open(cunpack_format format) {
  if (!cunpack_is_available(format)) return NULL;
  cunpack_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->format = format;
  if (format == CUNPACK_BZIP2) return decoder;
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
  free(decoder);
}

static cunpack_outcome step_zstd(cunpack_decoder *decoder, const void *input, size_t *input_count,
                                 void *output, size_t *output_count) {
  const cunpack_zstd *zstd = cunpack_load_zstd();
  ZSTD_inBuffer in = {input, *input_count, 0};
  ZSTD_outBuffer out = {output, *output_count, 0};
  const size_t rest = zstd->decompress(decoder->zstd, &out, &in);
  *input_count = in.pos;
  *output_count = out.pos;
  if (!zstd->is_error(rest)) return rest == 0 ? CUNPACK_END : CUNPACK_MORE;
  const char *name = zstd->error_name(rest);
  return strstr(name, "memory") ? CUNPACK_NO_MEMORY : CUNPACK_DAMAGED;
}

static unsigned bounded(size_t count) { return count > UINT_MAX ? UINT_MAX : (unsigned)count; }

static cunpack_outcome step_bzip2(cunpack_decoder *decoder, const void *input, size_t *input_count,
                                  void *output, size_t *output_count) {
  const cunpack_bzip2 *bzip2 = cunpack_load_bzip2();
  bz_stream *stream = &decoder->bzip2;
  const unsigned in = bounded(*input_count), out = bounded(*output_count);
  *input_count = *output_count = 0;
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

cunpack_outcome cunpack_step(cunpack_decoder *decoder, const void *input, size_t *input_count,
                             void *output, size_t *output_count) {
  return decoder->format == CUNPACK_ZSTD
             ? step_zstd(decoder, input, input_count, output, output_count)
             : step_bzip2(decoder, input, input_count, output, output_count);
}
