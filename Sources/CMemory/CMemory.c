#include "CMemory.h"

#include <malloc.h>

// Only the C library of GNU has these; others have no such heaps.
void helix_memory_share(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
}

void helix_memory_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
