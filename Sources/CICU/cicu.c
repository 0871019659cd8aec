#include "cicu.h"

#include <math.h>
#include <string.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ucol.h>
#include <unicode/ucurr.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>
#include <unicode/uscript.h>
#include <unicode/uversion.h>

_Static_assert(CICU_LOCALE_BYTES >= ULOC_FULLNAME_CAPACITY, "a locale's name has room");
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

bool cicu_locale(const char *tag, char *name) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t parsed = 0;
  uloc_forLanguageTag(tag, name, CICU_LOCALE_BYTES, &parsed, &error);
  return error == U_ZERO_ERROR && (size_t)parsed == strlen(tag) && name[0] && name[0] != '@';
}

int32_t cicu_language_tag(const char *name, char *tag) {
  UErrorCode error = U_ZERO_ERROR;
  char base[CICU_LOCALE_BYTES];
  uloc_getBaseName(name, base, CICU_LOCALE_BYTES, &error);
  uloc_toLanguageTag(base, tag, CICU_LOCALE_BYTES, false, &error);
  return error_of(error);
}

// As Intl.Collator with `usage: 'search'`; ECMA-402 demands canonical equivalence.
cicu_collator *cicu_collator_open(
  const char *locale, bool has_case, bool has_diacritics, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  char name[CICU_LOCALE_BYTES];
  strncpy(name, locale, sizeof name);
  name[sizeof name - 1] = 0;
  uloc_setKeywordValue("collation", "search", name, sizeof name, &error);
  UCollator *collator = ucol_open(name, &error);
  ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &error);
  ucol_setAttribute(
    collator, UCOL_STRENGTH,
    !has_diacritics ? UCOL_PRIMARY
    : has_case      ? UCOL_TERTIARY
                    : UCOL_SECONDARY,
    &error);
  if (has_case && !has_diacritics) ucol_setAttribute(collator, UCOL_CASE_LEVEL, UCOL_ON, &error);
  *status = error_of(error);
  if (*status == 0) return (cicu_collator *)collator;
  if (collator) ucol_close(collator);
  return NULL;
}

void cicu_collator_close(cicu_collator *collator) { ucol_close((UCollator *)collator); }

int32_t cicu_collator_compare(
  const cicu_collator *collator, const char *left, int32_t left_count, const char *right,
  int32_t right_count, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  const UCollationResult result = ucol_strcollUTF8(
    (const UCollator *)collator, left, left_count, right, right_count, &error);
  *status = error_of(error);
  return result;
}

int32_t cicu_currency_places(const uint16_t *code) {
  UErrorCode error = U_ZERO_ERROR;
  const int32_t places = ucurr_getDefaultFractionDigits((const UChar *)code, &error);
  return U_FAILURE(error) ? 2 : places;
}

cicu_numbers *cicu_numbers_open(
  const uint16_t *skeleton, int32_t count, const char *locale, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  // ICU falls back to its default, which otherwise is the locale of the machine.
  uloc_setDefault("en", &error);
  UNumberFormatter *numbers =
    unumf_openForSkeletonAndLocale((const UChar *)skeleton, count, locale, &error);
  *status = error_of(error);
  if (*status == 0) return (cicu_numbers *)numbers;
  unumf_close(numbers);
  return NULL;
}

void cicu_numbers_close(cicu_numbers *numbers) { unumf_close((UNumberFormatter *)numbers); }

int32_t cicu_numbers_text(
  const cicu_numbers *numbers, double number, uint16_t *text, int32_t capacity, int32_t *status) {
  UErrorCode error = U_ZERO_ERROR;
  UFormattedNumber *result = unumf_openResult(&error);
  // ICU writes the sign of NaN.
  const double value = isnan(number) ? NAN : number;
  unumf_formatDouble((const UNumberFormatter *)numbers, value, result, &error);
  const int32_t count = unumf_resultToString(result, (UChar *)text, capacity, &error);
  unumf_closeResult(result);
  *status = error_of(error);
  return count;
}
