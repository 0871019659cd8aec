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

/// Lets blocks of 256 KiB and more, and the free ends of arenas, go back to the system as soon as they
/// are freed. glibc keeps them: each large block that is freed raises the size up to which further ones
/// come from an arena of their thread, where one small block in use keeps all below it.
void climit_return_memory(void);

#endif
