#ifndef HELIX_CMEMORY_H
#define HELIX_CMEMORY_H

/// Makes all threads share one heap, from before the first of them starts. A program that runs for weeks and hands what it
/// allocates from thread to thread is otherwise left with holes in as many heaps as it ever had threads.
void helix_memory_share(void);

/// Gives pages of the heap that nothing lies in back to the system.
void helix_memory_trim(void);

#endif
