#ifndef HELIX_CUNISTRING_H
#define HELIX_CUNISTRING_H

#include <stddef.h>
#include <stdint.h>

/// GNU libunistring, opened when the first text beyond ASCII is normalized.

/// Normalizes UTF-8 text to a form of UAX #15: "nfd", "nfkc" or "nfkd".
/// Returns bytes to be given back to `free`, and their number; NULL if libunistring is not installed.
uint8_t *helix_normalize(const char *form, const uint8_t *text, size_t length, size_t *count);

#endif
