// The breaks, properties, collators, number formats and encodings of ICU behind functions of its own: ICU's carry
// their version in their names (ubrk_open_72), and its types have the names of those in Foundation's own
// ICU.
#ifndef QUADRILLE_CICU_H
#define QUADRILLE_CICU_H

#include <stdbool.h>
#include <stdint.h>

// The room of a version's text in bytes, with its end.
#define CICU_VERSION_BYTES 20

// The version of the library at run time.
void cicu_version(char *text);

// The version of Unicode at run time.
void cicu_unicode_version(char *text);

// The break opportunities of lines in the root locale.
typedef struct cicu_lines cicu_lines;

// Opens the line breaks. NULL where the data are missing; `status` then is ICU's error, else 0.
cicu_lines *cicu_lines_open(int32_t *status);

void cicu_lines_close(cicu_lines *lines);

// Sets the text, which must outlive the calls of cicu_lines_next. Returns ICU's error, 0 for none.
int32_t cicu_lines_set(cicu_lines *lines, const uint16_t *text, int32_t count);

// The next boundary; -1 behind the last.
int32_t cicu_lines_next(cicu_lines *lines);

// ICU's number of a scalar's script.
int32_t cicu_script(int32_t scalar);

// The four letters of ISO 15924. NULL for an unknown number.
const char *cicu_script_name(int32_t script);

// The values of Vertical_Orientation (UTR 50).
typedef enum {
  CICU_ROTATED = 0,
  CICU_TRANSFORMED_ROTATED = 1,
  CICU_TRANSFORMED_UPRIGHT = 2,
  CICU_UPRIGHT = 3,
} cicu_orientation;

cicu_orientation cicu_vertical_orientation(int32_t scalar);

// The room of a locale's name or language tag in bytes, with its end.
#define CICU_LOCALE_BYTES 157

// Writes ICU's name of the locale of a BCP 47 language tag. Returns whether it is one.
bool cicu_locale(const char *tag, char *name);

// Writes the language tag of a locale without its extensions. Returns ICU's error, 0 for none.
int32_t cicu_language_tag(const char *name, char *tag);

// The rules of a locale for comparing texts in a search; any thread may use them.
typedef struct cicu_collator cicu_collator;

// NULL where the data are missing; `status` then is ICU's error, else 0.
cicu_collator *cicu_collator_open(
  const char *locale, bool has_case, bool has_diacritics, int32_t *status);

void cicu_collator_close(cicu_collator *collator);

// Compares texts in UTF-8: -1, 0 or 1. `status` is ICU's error, 0 for none.
int32_t cicu_collator_compare(
  const cicu_collator *collator, const char *left, int32_t left_count, const char *right,
  int32_t right_count, int32_t *status);

// The usual number of decimal places of a currency by its code in UTF-16, three letters and a 0.
int32_t cicu_currency_places(const uint16_t *code);

// A format of numbers; any thread may use it.
typedef struct cicu_numbers cicu_numbers;

// Opens a format by its skeleton. A locale without data is formatted as English.
cicu_numbers *cicu_numbers_open(
  const uint16_t *skeleton, int32_t count, const char *locale, int32_t *status);

void cicu_numbers_close(cicu_numbers *numbers);

// Writes a number. Returns the number of units; `status` is ICU's error, 0 for none.
int32_t cicu_numbers_text(
  const cicu_numbers *numbers, double number, uint16_t *text, int32_t capacity, int32_t *status);

// A decoder of one of the encodings that ICU knows.
typedef struct cicu_decoder cicu_decoder;

// NULL for a name that ICU does not know.
cicu_decoder *cicu_decoder_open(const char *name);

void cicu_decoder_close(cicu_decoder *decoder);

// Decodes bytes as UTF-16, and bytes that mean nothing as half a surrogate pair. Returns the number of
// units; `used` is the number of bytes that were taken, fewer where the room is too small. `status` is
// ICU's error, 0 for none.
int32_t cicu_decoder_decode(
  cicu_decoder *decoder, const char *bytes, int32_t count, bool is_last, uint16_t *text,
  int32_t capacity, int32_t *used, int32_t *status);

// An encoding that a text may have, with ICU's confidence, 0 to 100.
typedef struct {
  char name[32];
  int32_t confidence;
} cicu_encoding;

// Finds the likely encodings of a text, the likeliest first. Returns their number.
int32_t cicu_detect(const char *bytes, int32_t count, cicu_encoding *found, int32_t capacity);

#endif
