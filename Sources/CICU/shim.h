// ICU4C behind functions of fixed names: its own carry the version (ubrk_open_72) through macros,
// which Swift does not see.
#ifndef QUADRILLE_CICU_H
#define QUADRILLE_CICU_H

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uversion.h>

// Whether a function of ICU failed.
static inline int cicu_failed(UErrorCode status) { return U_FAILURE(status) ? 1 : 0; }

// The version of the library at run time; `text` has room for U_MAX_VERSION_STRING_LENGTH bytes.
static inline void cicu_version(char *text) {
  UVersionInfo version;
  u_getVersion(version);
  u_versionToString(version, text);
}

// The version of Unicode at run time.
static inline void cicu_unicode_version(char *text) {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  u_versionToString(version, text);
}

// The break opportunities of lines in the root locale. NULL where the data are missing.
static inline UBreakIterator *cicu_lines_open(UErrorCode *status) {
  return ubrk_open(UBRK_LINE, "", NULL, 0, status);
}

static inline void cicu_lines_close(UBreakIterator *lines) { ubrk_close(lines); }

static inline void cicu_lines_set(UBreakIterator *lines, const UChar *text, int32_t count,
                                  UErrorCode *status) {
  ubrk_setText(lines, text, count, status);
}

// The next boundary; -1 (UBRK_DONE) behind the last.
static inline int32_t cicu_lines_next(UBreakIterator *lines) { return ubrk_next(lines); }

static inline int32_t cicu_script(UChar32 scalar) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(scalar, &status);
  return U_FAILURE(status) ? USCRIPT_UNKNOWN : script;
}

// The four letters of ISO 15924.
static inline const char *cicu_script_name(int32_t script) {
  return uscript_getShortName((UScriptCode)script);
}

// The value of Vertical_Orientation (UTR 50).
static inline int32_t cicu_vertical_orientation(UChar32 scalar) {
  return u_getIntPropertyValue(scalar, UCHAR_VERTICAL_ORIENTATION);
}

#endif
