#ifndef HELIX_CLIBRARIES_H
#define HELIX_CLIBRARIES_H

// A library that is opened while helix runs.
typedef struct {
  const char *name;
  // The Debian package that brings it.
  const char *package;
  // What cannot be done without it.
  const char *purpose;
} helix_library_entry;

// How many there are.
int helix_library_count(void);
helix_library_entry helix_library_at(int index);
// Opens a library and writes its version. Returns 0 if it cannot be opened.
int helix_library_version(int index, char *version, int size);

// The commit that this was built from; empty if the build did not say.
const char *helix_commit(void);

#endif
