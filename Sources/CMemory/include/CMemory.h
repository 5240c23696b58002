#ifndef HELIX_CMEMORY_H
#define HELIX_CMEMORY_H

#include <stddef.h>

/// Gives pages of the heap that nothing lies in back to the system. A program that runs for weeks and hands what it allocates
/// from thread to thread has holes in the heap of each of them. One heap for all has fewer, and cost a quarter of the questions
/// a second.
void helix_memory_trim(void);

/// Bytes that the program has allocated and not given back, in the heaps of all threads; 0 where the C library does not say.
/// What is resident beyond these is holes, code and stacks: only this shows whether something leaks.
size_t helix_memory_in_use(void);

#endif
