#ifndef HELIX_CCAIRO_H
#define HELIX_CCAIRO_H

#include <stddef.h>

/// cairo and Pango, opened when the first picture is painted. Lengths are in points, 1/72 inch; y grows downwards.

/// The forms of a painted file.
enum {
  /// Pages, of which each has its own size.
  HELIX_PAINT_PDF = 0,
  HELIX_PAINT_PNG = 1,
  /// Four bytes a pixel, in the order red, green, blue, opacity.
  HELIX_PAINT_PIXELS = 2,
};

/// A colour, each part from 0 to 1.
typedef struct {
  double red, green, blue, opacity;
} helix_paint_color;

/// A text in a box: cut with an ellipsis where it does not fit.
typedef struct {
  const char *text;
  double x, y, width;
  /// The height of the font.
  double size;
  int is_bold;
  /// 0 for left, 1 for the middle, 2 for right.
  int align;
  /// The most lines.
  int lines;
} helix_paint_text;

typedef struct helix_painter helix_painter;

/// 1 if the libraries are installed.
int helix_paint_is_there(void);

/// 1 if the system has any font.
int helix_paint_has_fonts(void);

/// Begins a file. `scale` is the number of pixels for each point; PDF ignores it. NULL without memory or library.
helix_painter *helix_paint_begin(int form, double width, double height, double scale);
/// Sets the title of a PDF, and the time at which it was made, in ISO 8601.
void helix_paint_title(helix_painter *painter, const char *title, const char *time);
/// Ends a page, and begins one of another size.
void helix_paint_page(helix_painter *painter, double width, double height);
void helix_paint_rectangle(helix_painter *painter, double x, double y, double width, double height, double radius, helix_paint_color color);
/// A line through `count` points of x and y; a filled shape if `is_filled`.
void helix_paint_line(helix_painter *painter, const double *points, int count, double width, int is_dashed, int is_filled, helix_paint_color color);
void helix_paint_write(helix_painter *painter, helix_paint_text text, helix_paint_color color);
/// The height that a text takes, and its greatest width.
void helix_paint_measure(helix_painter *painter, helix_paint_text text, double *width, double *height);
/// Ends the file, and frees the painter. The bytes are to be given back to `free`; `unknown` is the number of characters for which
/// no font has a sign. Returns 0 if it could not be painted.
int helix_paint_end(helix_painter *painter, unsigned char **bytes, size_t *size, int *unknown);

#endif
