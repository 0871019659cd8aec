// The breaks and properties of ICU behind functions of its own: ICU's carry their version in their
// names (ubrk_open_72), and its types have the names of those in Foundation's own ICU.
#ifndef QUADRILLE_CICU_H
#define QUADRILLE_CICU_H

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

#endif
