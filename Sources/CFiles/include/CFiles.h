#ifndef HELIX_CFILES_H
#define HELIX_CFILES_H

/// Puts everything that was written to the file system of an open file on the disk. Returns 0, or -1 with errno.
int helix_sync_file_system(int descriptor);

/// Renames a file unless something of the new name is there. Returns 0, or -1 with errno: EEXIST if there is.
int helix_rename_new(const char *from, const char *to);

#endif
