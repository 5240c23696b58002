#include "CMemory.h"

#include <malloc.h>

// Only the C library of GNU has these; others have no such heaps.
void helix_memory_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

size_t helix_memory_in_use(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}
