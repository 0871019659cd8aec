// Swift must not import this module: Foundation has an ICU of its own, with types of the same names.
#include <unicode/utypes.h>
