// The row API of libpng behind functions that return codes: longjmp never leaves C.
#ifndef QUADRILLE_CPNG_H
#define QUADRILLE_CPNG_H
#endif
