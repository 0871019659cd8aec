#include "cpng.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct cpng_reader {
  png_structp png;
  png_infop info;
  const uint8_t *next;
  size_t left;
  uint32_t width;
  uint32_t height;
  uint32_t row;
  size_t row_bytes;
  int passes;
  int has_alpha;
  uint8_t *image;  // all rows of an interlaced picture; NULL for one that comes row by row
  cpng_status status;
  char message[160];
};

static void copy_message(const cpng_reader *reader, char *message, size_t capacity) {
  if (capacity == 0) return;
  size_t length = strlen(reader->message);
  if (length >= capacity) length = capacity - 1;
  memcpy(message, reader->message, length);
  message[length] = 0;
}

static void on_error(png_structp png, png_const_charp text) {
  cpng_reader *reader = png_get_error_ptr(png);
  if (reader->status == CPNG_OK) reader->status = CPNG_CORRUPT;
  if (reader->message[0] == 0) strncpy(reader->message, text, sizeof reader->message - 1);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void on_read(png_structp png, png_bytep into, size_t count) {
  cpng_reader *reader = png_get_io_ptr(png);
  if (count > reader->left) {
    reader->status = CPNG_TRUNCATED;
    png_error(png, "the file ends inside the picture");
  }
  memcpy(into, reader->next, count);
  reader->next += count;
  reader->left -= count;
}

// Rows of 8-bit straight RGBA whatever the file holds; 16 bits are scaled with rounding.
static void request_rgba(cpng_reader *reader) {
  png_structp png = reader->png;
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  reader->passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
}

// Rows of the samples themselves; only gray and palette pictures have one sample a pixel.
static void request_samples(cpng_reader *reader) {
  png_structp png = reader->png;
  png_byte type = png_get_color_type(png, reader->info);
  if (type != PNG_COLOR_TYPE_GRAY && type != PNG_COLOR_TYPE_PALETTE)
    png_error(png, "it has more than one sample a pixel");
  const uint16_t one = 1;
  if (*(const uint8_t *)&one == 1) png_set_swap(png);
  png_set_packing(png);
  reader->passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
}

// Everything below may be left by longjmp: it keeps its state in the reader alone.
static void start(cpng_reader *reader, const cpng_limits *limits, cpng_format format) {
  png_structp png = reader->png;
  png_set_read_fn(png, reader, on_read);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  if (limits->max_width && limits->max_height)
    png_set_user_limits(png, limits->max_width, limits->max_height);
  if (limits->max_chunk_bytes) png_set_chunk_malloc_max(png, limits->max_chunk_bytes);
  if (limits->max_chunks) png_set_chunk_cache_max(png, limits->max_chunks);
  // Nothing but colour and transparency is used, so profiles and texts are not even inflated.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, reader->info);
  reader->width = png_get_image_width(png, reader->info);
  reader->height = png_get_image_height(png, reader->info);
  reader->has_alpha = (png_get_color_type(png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                      png_get_valid(png, reader->info, PNG_INFO_tRNS) != 0;
  size_t pixel = 4;
  if (format == CPNG_SAMPLES) {
    pixel = png_get_bit_depth(png, reader->info) == 16 ? 2 : 1;
    request_samples(reader);
  } else {
    request_rgba(reader);
  }
  reader->row_bytes = reader->width * pixel;
  if (png_get_rowbytes(png, reader->info) != reader->row_bytes)
    png_error(png, "its rows do not have the size that was asked for");
}

static void read_interlaced(cpng_reader *reader) {
  size_t stride = reader->row_bytes;
  reader->image = calloc(reader->height, stride);
  if (reader->image == NULL) {
    reader->status = CPNG_NO_MEMORY;
    png_error(reader->png, "there is no memory for its rows");
  }
  for (int pass = 0; pass < reader->passes; pass++)
    for (uint32_t y = 0; y < reader->height; y++)
      png_read_row(reader->png, reader->image + y * stride, NULL);
}

static void next_row(cpng_reader *reader, uint8_t *row) {
  if (reader->row >= reader->height) png_error(reader->png, "it has no more rows");
  size_t stride = reader->row_bytes;
  if (reader->passes > 1) {
    if (reader->image == NULL) read_interlaced(reader);
    memcpy(row, reader->image + reader->row * stride, stride);
  } else {
    png_read_row(reader->png, row, NULL);
  }
  reader->row++;
  if (reader->row == reader->height) png_read_end(reader->png, NULL);
}

cpng_status cpng_open(const uint8_t *bytes, size_t count, const cpng_limits *limits,
                      cpng_format format, cpng_reader **out, char *message, size_t capacity) {
  *out = NULL;
  if (capacity) message[0] = 0;
  cpng_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return CPNG_NO_MEMORY;
  reader->next = bytes;
  reader->left = count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    cpng_close(reader);
    return CPNG_NO_MEMORY;
  }
  if (setjmp(png_jmpbuf(reader->png))) {
    cpng_status status = reader->status;
    copy_message(reader, message, capacity);
    cpng_close(reader);
    return status;
  }
  start(reader, limits, format);
  *out = reader;
  return CPNG_OK;
}

int cpng_has_alpha(const cpng_reader *reader) {
  return reader->has_alpha;
}

int cpng_palette(const cpng_reader *reader, uint8_t *rgba) {
  png_colorp colors = NULL;
  int count = 0;
  if (!png_get_PLTE(reader->png, reader->info, &colors, &count)) return 0;
  png_bytep alphas = NULL;
  int alpha_count = 0;
  png_get_tRNS(reader->png, reader->info, &alphas, &alpha_count, NULL);
  for (int i = 0; i < 256; i++) {
    uint8_t *color = rgba + 4 * i;
    color[0] = i < count ? colors[i].red : 0;
    color[1] = i < count ? colors[i].green : 0;
    color[2] = i < count ? colors[i].blue : 0;
    color[3] = i < count && alphas && i < alpha_count ? alphas[i] : 255;
  }
  return count;
}

int cpng_transparent_sample(const cpng_reader *reader) {
  png_color_16p color = NULL;
  if (!png_get_tRNS(reader->png, reader->info, NULL, NULL, &color) || color == NULL) return -1;
  return color->gray;
}

size_t cpng_row_bytes(const cpng_reader *reader) {
  return reader->row_bytes;
}

cpng_status cpng_read_row(cpng_reader *reader, uint8_t *row, char *message, size_t capacity) {
  if (capacity) message[0] = 0;
  // A picture that failed once stays failed: libpng's state is not to be used after an error.
  if (reader->status != CPNG_OK || setjmp(png_jmpbuf(reader->png))) {
    copy_message(reader, message, capacity);
    return reader->status;
  }
  next_row(reader, row);
  return CPNG_OK;
}

void cpng_close(cpng_reader *reader) {
  if (reader == NULL) return;
  if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader->image);
  free(reader);
}
