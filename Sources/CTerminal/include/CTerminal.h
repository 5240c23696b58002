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

/// Switches a terminal to single keys without echo, for a program on the whole screen, and keeps its former mode. A signal
/// that ends the process because of an error restores the terminal before it does; others can be read by
/// `helix_screen_signal`.
/// Returns a descriptor that becomes readable when a signal has come, or -1 if the input is no terminal.
int helix_screen_open(int input, int output);

/// Restores the terminal and the former treatment of signals.
void helix_screen_close(void);

/// The number of a signal that has come: SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGTSTP or SIGINT; 0 for none.
int helix_screen_signal(void);

#endif
