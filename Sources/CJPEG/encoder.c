#include "cjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

const char *cjpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
  return TEXT(LIBJPEG_TURBO_VERSION);
#else
  return TEXT(JPEG_LIB_VERSION);
#endif
}

typedef struct {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf jump;
  unsigned char *bytes;
  unsigned long count;
} encoder;

static void on_error(j_common_ptr common) {
  encoder *self = common->client_data;
  longjmp(self->jump, 1);
}

static void on_message(j_common_ptr common, int level) {
  (void)common;
  (void)level;
}

// May be left by longjmp: it keeps its state in the encoder alone.
static void write_rows(encoder *self, const uint8_t *rgb, uint32_t width, uint32_t height,
                       int quality) {
  struct jpeg_compress_struct *jpeg = &self->jpeg;
  jpeg_mem_dest(jpeg, &self->bytes, &self->count);
  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  // The slow integer transform gives the same bytes with and without SIMD.
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->optimize_coding = TRUE;
  if (quality >= 90) {
    jpeg->comp_info[0].h_samp_factor = 1;
    jpeg->comp_info[0].v_samp_factor = 1;
  }
  jpeg_start_compress(jpeg, TRUE);
  while (jpeg->next_scanline < jpeg->image_height) {
    JSAMPROW row = (JSAMPROW)(rgb + (size_t)jpeg->next_scanline * width * 3);
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
}

cjpeg_status cjpeg_encode(const uint8_t *rgb, uint32_t width, uint32_t height, int quality,
                          uint8_t **bytes, size_t *count) {
  *bytes = NULL;
  *count = 0;
  encoder *self = calloc(1, sizeof *self);
  if (!self) return CJPEG_NO_MEMORY;
  self->jpeg.err = jpeg_std_error(&self->errors);
  self->errors.error_exit = on_error;
  self->errors.emit_message = on_message;
  self->jpeg.client_data = self;
  cjpeg_status status = CJPEG_OK;
  if (setjmp(self->jump)) {
    status = CJPEG_NO_MEMORY;
  } else {
    jpeg_create_compress(&self->jpeg);
    self->jpeg.client_data = self;
    write_rows(self, rgb, width, height, quality);
  }
  jpeg_destroy_compress(&self->jpeg);
  if (status == CJPEG_OK) {
    *bytes = self->bytes;
    *count = self->count;
  } else {
    free(self->bytes);
  }
  free(self);
  return status;
}

void cjpeg_release(uint8_t *bytes) {
  free(bytes);
}
