#ifndef QUADRILLE_CLIMIT_H
#define QUADRILLE_CLIMIT_H

/// Lets the process end with a sentence and an exit status where it would die of a signal because its
/// address space is used up (`ulimit -v`); does nothing where that has no limit.
///
/// Neither the language nor the C++ library can go on without memory: they end the process by a
/// signal. Whether it is for that, a handler finds out by asking for some more.
///
/// `%` in the sentence, of which a copy is made, stands for the limit in kibibytes.
void climit_watch_address_space(const char *sentence, int status);

#endif
