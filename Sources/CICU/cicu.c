#include "cicu.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uversion.h>

_Static_assert(CICU_VERSION_BYTES >= U_MAX_VERSION_STRING_LENGTH, "a version's text has room");

// Warnings are negative.
static int32_t error_of(UErrorCode status) { return U_FAILURE(status) ? (int32_t)status : 0; }

void cicu_version(char *text) {
  UVersionInfo version;
  u_getVersion(version);
  u_versionToString(version, text);
}

void cicu_unicode_version(char *text) {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  u_versionToString(version, text);
}

cicu_lines *cicu_lines_open(int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UBreakIterator *lines = ubrk_open(UBRK_LINE, "", NULL, 0, &error);
  *status = error_of(error);
  return (cicu_lines *)lines;
}

void cicu_lines_close(cicu_lines *lines) { ubrk_close((UBreakIterator *)lines); }

int32_t cicu_lines_set(cicu_lines *lines, const uint16_t *text, int32_t count) {
  UErrorCode error = U_ZERO_ERROR;
  ubrk_setText((UBreakIterator *)lines, (const UChar *)text, count, &error);
  return error_of(error);
}

int32_t cicu_lines_next(cicu_lines *lines) { return ubrk_next((UBreakIterator *)lines); }

int32_t cicu_script(int32_t scalar) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(scalar, &error);
  return U_FAILURE(error) ? USCRIPT_UNKNOWN : script;
}

const char *cicu_script_name(int32_t script) {
  return uscript_getShortName((UScriptCode)script);
}

cicu_orientation cicu_vertical_orientation(int32_t scalar) {
  switch (u_getIntPropertyValue(scalar, UCHAR_VERTICAL_ORIENTATION)) {
  case U_VO_UPRIGHT: return CICU_UPRIGHT;
  case U_VO_TRANSFORMED_UPRIGHT: return CICU_TRANSFORMED_UPRIGHT;
  case U_VO_TRANSFORMED_ROTATED: return CICU_TRANSFORMED_ROTATED;
  default: return CICU_ROTATED;
  }
}
