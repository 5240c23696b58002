#define _GNU_SOURCE
#include "CFiles.h"

#include <unistd.h>

int helix_sync_file_system(int descriptor) { return syncfs(descriptor); }
