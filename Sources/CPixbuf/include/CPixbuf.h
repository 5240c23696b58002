#ifndef HELIX_CPIXBUF_H
#define HELIX_CPIXBUF_H

#include <stddef.h>

/// GDK-PixBuf, opened when the first image is made smaller.

/// The results of helix_preview.
enum {
  HELIX_PREVIEW_DONE = 0,
  /// The library is not installed.
  HELIX_PREVIEW_NO_LIBRARY = 1,
  /// The file is no image of a known kind, or it is damaged.
  HELIX_PREVIEW_NO_IMAGE = 2,
  /// The image has too many pixels to be decoded safely.
  HELIX_PREVIEW_TOO_LARGE = 3,
};

/// A copy of an image with at most `most` pixels at each side, turned upright as its EXIF data says: JPEG, or PNG if it has
/// transparent parts. The bytes are to be given back to `free`; `is_png` says which kind it is.
int helix_preview(const char *path, int most, unsigned char **bytes, size_t *size, int *is_png);

/// A copy of an image with at most `wide` × `high` pixels, turned upright: PNG, or four bytes a pixel (red, green, blue,
/// opacity). The bytes are to be given back to `free`.
int helix_scaled_image(const char *path, int wide, int high, int as_png, unsigned char **bytes, size_t *size, int *width, int *height);

#endif
