#ifndef HELIX_CMEMORY_H
#define HELIX_CMEMORY_H

/// Gives pages of the heap that nothing lies in back to the system. A program that runs for weeks and hands what it allocates
/// from thread to thread has holes in the heap of each of them. One heap for all has fewer, and cost a quarter of the questions
/// a second.
void helix_memory_trim(void);

#endif
