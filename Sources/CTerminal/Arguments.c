#include "CTerminal.h"

#include <sys/auxv.h>

// The C library gives a program's arguments to its constructors, too. Swift reads them from /proc, and without that
// knows none.

static int kept_count = 0;
static char **kept = 0;

__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
  kept_count = count;
  kept = arguments;
}

int helix_argument_count(void) { return kept_count; }

const char *helix_argument(int index) { return index >= 0 && index < kept_count ? kept[index] : 0; }

const char *helix_program_name(void) { return (const char *)getauxval(AT_EXECFN); }
