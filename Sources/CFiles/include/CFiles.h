#ifndef HELIX_CFILES_H
#define HELIX_CFILES_H

/// Puts everything that was written to the file system of an open file on the disk. Returns 0, or -1 with errno.
int helix_sync_file_system(int descriptor);

#endif
