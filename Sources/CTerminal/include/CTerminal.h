#ifndef HELIX_CTERMINAL_H
#define HELIX_CTERMINAL_H

#include <stdint.h>

/// The columns that a Unicode scalar takes on a terminal, by the C library's tables: 0, 1 or 2, or -1 for one that
/// cannot be printed. The process's own locale does not matter.
int helix_column_width(uint32_t scalar);

/// The process's environment: `NAME=value` strings, the last one null. Swift 6 does not see the global variable.
char *const *helix_environment(void);

/// The number of the process's arguments, with the program's name.
int helix_argument_count(void);

/// An argument of the process, from 0; null for one that is not there.
const char *helix_argument(int index);

/// The program's file as the system was asked to start it; null where that is not known.
const char *helix_program_name(void);

#endif
