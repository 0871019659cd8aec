#include "cicu.h"

#include <string.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucsdet.h>

static int32_t error_of(UErrorCode status) { return U_FAILURE(status) ? (int32_t)status : 0; }

// Half a surrogate pair stands for bytes that mean nothing.
static void U_CALLCONV mark_invalid(
  const void *context, UConverterToUnicodeArgs *arguments, const char *bytes, int32_t count,
  UConverterCallbackReason reason, UErrorCode *error) {
  (void)context, (void)bytes, (void)count;
  if (reason > UCNV_IRREGULAR) return;
  const UChar mark = 0xDFFF;
  *error = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(arguments, &mark, 1, 0, error);
}

cicu_decoder *cicu_decoder_open(const char *name) {
  UErrorCode error = U_ZERO_ERROR;
  UConverter *decoder = ucnv_open(name, &error);
  if (U_SUCCESS(error)) ucnv_setToUCallBack(decoder, mark_invalid, NULL, NULL, NULL, &error);
  if (U_SUCCESS(error)) return (cicu_decoder *)decoder;
  ucnv_close(decoder);
  return NULL;
}

void cicu_decoder_close(cicu_decoder *decoder) { ucnv_close((UConverter *)decoder); }

int32_t cicu_decoder_decode(
  cicu_decoder *decoder, const char *bytes, int32_t count, bool is_last, uint16_t *text,
  int32_t capacity, int32_t *used, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  const char *source = bytes;
  UChar *target = (UChar *)text;
  ucnv_toUnicode(
    (UConverter *)decoder, &target, target + capacity, &source, bytes + count, NULL, is_last, &error);
  *used = (int32_t)(source - bytes);
  *status = error == U_BUFFER_OVERFLOW_ERROR ? 0 : error_of(error);
  return (int32_t)(target - (UChar *)text);
}

int32_t cicu_detect(const char *bytes, int32_t count, cicu_encoding *found, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UCharsetDetector *detector = ucsdet_open(&error);
  ucsdet_setText(detector, bytes, count, &error);
  int32_t all = 0;
  const UCharsetMatch **matches = ucsdet_detectAll(detector, &all, &error);
  if (U_FAILURE(error)) all = 0;
  if (all > capacity) all = capacity;
  for (int32_t i = 0; i < all; i++) {
    const char *name = ucsdet_getName(matches[i], &error);
    strncpy(found[i].name, name ? name : "", sizeof found[i].name - 1);
    found[i].name[sizeof found[i].name - 1] = 0;
    found[i].confidence = ucsdet_getConfidence(matches[i], &error);
  }
  ucsdet_close(detector);
  return all;
}
