// FriBidi behind functions, since Swift sees neither its macros nor its version.
#ifndef QUADRILLE_CFRIBIDI_H
#define QUADRILLE_CFRIBIDI_H

#include <fribidi.h>
#include <stdint.h>

// A text whose first line ends with the version.
static inline const char *cfribidi_version(void) { return fribidi_version_info; }

// Finds the embedding levels of a paragraph that is one line: rules P2 to L1 of UAX 9. `level` is
// that of the paragraph, or -1 where its letters decide. Each room holds as many values as there are
// characters. Returns 0 without memory.
static inline int cfribidi_levels(const uint32_t *text, int32_t count, int32_t level,
                                  uint32_t *type_room, uint32_t *bracket_room, int8_t *level_room) {
  FriBidiCharType *types = (FriBidiCharType *)type_room;
  FriBidiBracketType *brackets = (FriBidiBracketType *)bracket_room;
  FriBidiLevel *levels = (FriBidiLevel *)level_room;
  FriBidiParType base = level < 0 ? FRIBIDI_PAR_ON : level % 2 ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;
  fribidi_get_bidi_types(text, count, types);
  fribidi_get_bracket_types(text, count, types, brackets);
  if (!fribidi_get_par_embedding_levels_ex(types, brackets, count, &base, levels)) return 0;
  const FriBidiLevel outer = FRIBIDI_DIR_TO_LEVEL(base);
  int is_before_end = 1;
  for (FriBidiStrIndex index = count; index-- > 0;) {
    if (FRIBIDI_IS_SEPARATOR(types[index])) {
      is_before_end = 1;
    } else if (!FRIBIDI_IS_EXPLICIT_OR_BN_OR_WS(types[index]) && !FRIBIDI_IS_ISOLATE(types[index])) {
      is_before_end = 0;
    }
    if (is_before_end) levels[index] = outer;
  }
  return 1;
}

#endif
