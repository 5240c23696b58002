#include "CMemory.h"

#include <malloc.h>

// Only the C library of GNU has this; others have no such heaps.
void helix_memory_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
