#ifndef HELIX_CZLIB_H
#define HELIX_CZLIB_H

#include <stddef.h>
#include <stdint.h>

/// Raw DEFLATE (RFC 1951) in both directions, by zlib, which is opened when the first line is compressed.
typedef struct helix_deflate helix_deflate;

/// Returns NULL if zlib is not installed.
helix_deflate *helix_deflate_open(void);
void helix_deflate_close(helix_deflate *stream);

/// Packs or unpacks (`packs` 0) bytes; what is packed can be unpacked as far as it goes. Returns how many bytes were written to
/// `room`, and in `*taken` how many were read; -1 for what is no DEFLATE. It is called again while it fills the room.
int64_t helix_deflate_run(
    helix_deflate *stream, int packs, const uint8_t *bytes, size_t count, size_t *taken, uint8_t *room, size_t room_count);

#endif
