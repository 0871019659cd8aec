#include "cjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

struct cjpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf jump;
  int max_scans;
  int created;
  int started;
  cjpeg_status status;
  char message[JMSG_LENGTH_MAX];
};

static void copy_message(const cjpeg_reader *reader, char *message, size_t capacity) {
  if (capacity == 0) return;
  size_t length = strlen(reader->message);
  if (length >= capacity) length = capacity - 1;
  memcpy(message, reader->message, length);
  message[length] = 0;
}

static void fail(cjpeg_reader *reader, cjpeg_status status, const char *message) {
  reader->status = status;
  strncpy(reader->message, message, sizeof reader->message - 1);
  longjmp(reader->jump, 1);
}

static cjpeg_status status_of(int code) {
  switch (code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
      return CJPEG_NO_MEMORY;
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY:
    case JWRN_JPEG_EOF:
      return CJPEG_TRUNCATED;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_CONVERSION_NOTIMPL:
      return CJPEG_UNSUPPORTED;
    default:
      return CJPEG_CORRUPT;
  }
}

static void on_error(j_common_ptr common) {
  cjpeg_reader *reader = common->client_data;
  char text[JMSG_LENGTH_MAX] = {0};
  common->err->format_message(common, text);
  fail(reader, status_of(common->err->msg_code), text);
}

// libjpeg fills what is missing or damaged with gray and warns. A map must not show that.
static void on_message(j_common_ptr common, int level) {
  if (level >= 0) return;
  switch (common->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_NOT_SEQUENTIAL:
      on_error(common);
      break;
    default:
      break;  // bytes between segments, a version of JFIF: the pixels are whole
  }
}

static void on_output(j_common_ptr common) {
  (void)common;
}

// Each scan of a progressive picture costs a pass over all of it, whatever its size in the file.
static void on_progress(j_common_ptr common) {
  cjpeg_reader *reader = common->client_data;
  if (common->is_decompressor && reader->jpeg.input_scan_number > reader->max_scans)
    fail(reader, CJPEG_CORRUPT, "it has too many scans");
}

// Bytes of the coefficients that libjpeg holds for a picture in several scans: 2 for each.
static uint64_t coefficient_bytes(const struct jpeg_decompress_struct *jpeg) {
  uint64_t bytes = 0;
  for (int i = 0; i < jpeg->num_components; i++) {
    const jpeg_component_info *component = &jpeg->comp_info[i];
    uint64_t width = (uint64_t)component->width_in_blocks + 16;
    uint64_t height = (uint64_t)component->height_in_blocks + 16;
    bytes += width * height * DCTSIZE2 * sizeof(JCOEF);
  }
  return bytes;
}

// Everything below may be left by longjmp: it keeps its state in the reader alone.
static void start(cjpeg_reader *reader, const uint8_t *bytes, size_t count,
                  const cjpeg_limits *limits, cjpeg_info *info) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  jpeg_mem_src(jpeg, bytes, count);
  jpeg_read_header(jpeg, TRUE);
  info->width = jpeg->image_width;
  info->height = jpeg->image_height;
  if (info->width > limits->max_width || info->height > limits->max_height ||
      (uint64_t)info->width * info->height > limits->max_pixels)
    fail(reader, CJPEG_TOO_LARGE, "it has more pixels than the limit");
  switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
      jpeg->out_color_space = JCS_GRAYSCALE;
      info->channels = 1;
      break;
    case JCS_YCbCr:
    case JCS_RGB:
      jpeg->out_color_space = JCS_RGB;
      info->channels = 3;
      break;
    case JCS_CMYK:
    case JCS_YCCK:
      fail(reader, CJPEG_UNSUPPORTED, "its colours are CMYK");
      break;
    default:
      fail(reader, CJPEG_UNSUPPORTED, "its colour space is unknown");
  }
  if (jpeg_has_multiple_scans(jpeg) && coefficient_bytes(jpeg) > limits->max_scratch_bytes)
    fail(reader, CJPEG_TOO_LARGE, "it is progressive and so large that all of it must be held");
  // The slow integer transform gives the same bytes with and without SIMD.
  jpeg->dct_method = JDCT_ISLOW;
}

static void next_row(cjpeg_reader *reader, uint8_t *row) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  if (!reader->started) {
    reader->started = 1;
    jpeg_start_decompress(jpeg);
  }
  if (jpeg->output_scanline >= jpeg->output_height)
    fail(reader, CJPEG_CORRUPT, "it has no more rows");
  JSAMPROW rows[1] = {row};
  if (jpeg_read_scanlines(jpeg, rows, 1) != 1) fail(reader, CJPEG_TRUNCATED, "the file ends");
  if (jpeg->output_scanline == jpeg->output_height) jpeg_finish_decompress(jpeg);
}

cjpeg_status cjpeg_open(const uint8_t *bytes, size_t count, const cjpeg_limits *limits,
                        cjpeg_reader **out, cjpeg_info *info, char *message, size_t capacity) {
  *out = NULL;
  memset(info, 0, sizeof *info);
  if (capacity) message[0] = 0;
  cjpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return CJPEG_NO_MEMORY;
  reader->jpeg.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->errors.output_message = on_output;
  reader->jpeg.client_data = reader;
  reader->max_scans = limits->max_scans;
  if (setjmp(reader->jump)) {
    cjpeg_status status = reader->status;
    copy_message(reader, message, capacity);
    cjpeg_close(reader);
    return status;
  }
  reader->created = 1;
  jpeg_create_decompress(&reader->jpeg);
  reader->jpeg.client_data = reader;
  reader->progress.progress_monitor = on_progress;
  reader->jpeg.progress = &reader->progress;
  start(reader, bytes, count, limits, info);
  *out = reader;
  return CJPEG_OK;
}

cjpeg_status cjpeg_read_row(cjpeg_reader *reader, uint8_t *row, char *message, size_t capacity) {
  if (capacity) message[0] = 0;
  // A picture that failed once stays failed.
  if (reader->status != CJPEG_OK || setjmp(reader->jump)) {
    copy_message(reader, message, capacity);
    return reader->status;
  }
  next_row(reader, row);
  return CJPEG_OK;
}

void cjpeg_close(cjpeg_reader *reader) {
  if (reader == NULL) return;
  if (reader->created) jpeg_destroy_decompress(&reader->jpeg);
  free(reader);
}
