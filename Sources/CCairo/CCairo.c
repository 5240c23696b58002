#include "CCairo.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <pango/pangocairo.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The functions of each library, each once: their pointers and their search are made of these lists.
#define CAIRO(use)                                                                                                        \
  use(cairo_create) use(cairo_destroy) use(cairo_status) use(cairo_surface_destroy) use(cairo_surface_finish)             \
  use(cairo_surface_status) use(cairo_surface_flush) use(cairo_image_surface_create) use(cairo_image_surface_get_data)    \
  use(cairo_image_surface_get_stride) use(cairo_surface_write_to_png_stream) use(cairo_pdf_surface_create_for_stream)     \
  use(cairo_pdf_surface_set_size) use(cairo_pdf_surface_set_metadata) use(cairo_show_page) use(cairo_scale)               \
  use(cairo_set_source_rgba) use(cairo_rectangle) use(cairo_arc) use(cairo_close_path) use(cairo_new_path)                \
  use(cairo_move_to) use(cairo_line_to) use(cairo_fill) use(cairo_stroke) use(cairo_set_line_width) use(cairo_set_dash)   \
  use(cairo_set_line_join) use(cairo_set_line_cap)
#define PANGO(use)                                                                                                        \
  use(pango_cairo_create_layout) use(pango_cairo_show_layout) use(pango_layout_set_text) use(pango_layout_set_width)      \
  use(pango_layout_set_height) use(pango_layout_set_ellipsize) use(pango_layout_set_wrap) use(pango_layout_set_alignment) \
  use(pango_layout_set_font_description) use(pango_layout_get_size) use(pango_layout_get_unknown_glyphs_count)            \
  use(pango_cairo_font_map_get_default) use(pango_font_map_list_families) use(g_free) use(pango_font_description_new)                       \
  use(pango_font_description_set_family) use(pango_font_description_set_absolute_size)                                    \
  use(pango_font_description_set_weight) use(pango_font_description_free) use(g_object_unref)

#define POINTER(name) static __typeof__((name)) *p_##name;
CAIRO(POINTER)
PANGO(POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_there;

static void load(void) {
  // Pango's library for cairo has opened cairo, Pango and GObject; a symbol is looked for in all that it needs.
  void *library = dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  int is_whole = 1;
#define FIND(name)                      \
  p_##name = dlsym(library, #name);     \
  is_whole = is_whole && p_##name != 0;
  CAIRO(FIND)
  PANGO(FIND)
  is_there = is_whole;
}

int helix_paint_is_there(void) {
  pthread_once(&once, load);
  return is_there;
}

int helix_paint_has_fonts(void) {
  if (!helix_paint_is_there()) return 0;
  PangoFontFamily **families = NULL;
  int count = 0;
  p_pango_font_map_list_families(p_pango_cairo_font_map_get_default(), &families, &count);
  p_g_free(families);
  return count > 0;
}

struct helix_painter {
  int form;
  cairo_surface_t *surface;
  cairo_t *cairo;
  PangoLayout *layout;
  PangoFontDescription *font;
  int pixels_wide, pixels_high;
  unsigned char *bytes;
  size_t size, room;
  int is_failed;
  int unknown;
};

static cairo_status_t append(void *closure, const unsigned char *bytes, unsigned int count) {
  helix_painter *painter = closure;
  if (painter->size + count > painter->room) {
    size_t room = (painter->size + count) * 2;
    unsigned char *larger = realloc(painter->bytes, room);
    if (!larger) {
      painter->is_failed = 1;
      return CAIRO_STATUS_WRITE_ERROR;
    }
    painter->bytes = larger;
    painter->room = room;
  }
  memcpy(painter->bytes + painter->size, bytes, count);
  painter->size += count;
  return CAIRO_STATUS_SUCCESS;
}

static void release(helix_painter *painter) {
  if (painter->layout) p_g_object_unref(painter->layout);
  if (painter->font) p_pango_font_description_free(painter->font);
  if (painter->cairo) p_cairo_destroy(painter->cairo);
  if (painter->surface) p_cairo_surface_destroy(painter->surface);
  free(painter->bytes);
  free(painter);
}

helix_painter *helix_paint_begin(int form, double width, double height, double scale) {
  if (!helix_paint_is_there()) return NULL;
  helix_painter *painter = calloc(1, sizeof *painter);
  if (!painter) return NULL;
  painter->form = form;
  painter->pixels_wide = (int)(width * scale + 0.5);
  painter->pixels_high = (int)(height * scale + 0.5);
  painter->surface = form == HELIX_PAINT_PDF ? p_cairo_pdf_surface_create_for_stream(append, painter, width, height)
                                             : p_cairo_image_surface_create(CAIRO_FORMAT_ARGB32, painter->pixels_wide, painter->pixels_high);
  painter->cairo = p_cairo_create(painter->surface);
  if (p_cairo_status(painter->cairo) != CAIRO_STATUS_SUCCESS) {
    release(painter);
    return NULL;
  }
  if (form != HELIX_PAINT_PDF) p_cairo_scale(painter->cairo, scale, scale);
  p_cairo_set_line_join(painter->cairo, CAIRO_LINE_JOIN_ROUND);
  p_cairo_set_line_cap(painter->cairo, CAIRO_LINE_CAP_ROUND);
  painter->layout = p_pango_cairo_create_layout(painter->cairo);
  painter->font = p_pango_font_description_new();
  if (!painter->layout || !painter->font) {
    release(painter);
    return NULL;
  }
  p_pango_font_description_set_family(painter->font, "sans-serif");
  p_pango_layout_set_wrap(painter->layout, PANGO_WRAP_WORD_CHAR);
  return painter;
}

void helix_paint_title(helix_painter *painter, const char *title, const char *time) {
  if (painter->form != HELIX_PAINT_PDF) return;
  p_cairo_pdf_surface_set_metadata(painter->surface, CAIRO_PDF_METADATA_TITLE, title);
  p_cairo_pdf_surface_set_metadata(painter->surface, CAIRO_PDF_METADATA_CREATOR, "helix");
  p_cairo_pdf_surface_set_metadata(painter->surface, CAIRO_PDF_METADATA_CREATE_DATE, time);
}

void helix_paint_page(helix_painter *painter, double width, double height) {
  if (painter->form != HELIX_PAINT_PDF) return;
  p_cairo_show_page(painter->cairo);
  p_cairo_pdf_surface_set_size(painter->surface, width, height);
}

static void set_color(helix_painter *painter, helix_paint_color color) {
  p_cairo_set_source_rgba(painter->cairo, color.red, color.green, color.blue, color.opacity);
}

void helix_paint_rectangle(helix_painter *painter, double x, double y, double width, double height, double radius, helix_paint_color color) {
  cairo_t *cairo = painter->cairo;
  const double quarter = 1.5707963267948966;
  set_color(painter, color);
  p_cairo_new_path(cairo);
  if (radius > 0) {
    p_cairo_arc(cairo, x + width - radius, y + radius, radius, -quarter, 0);
    p_cairo_arc(cairo, x + width - radius, y + height - radius, radius, 0, quarter);
    p_cairo_arc(cairo, x + radius, y + height - radius, radius, quarter, 2 * quarter);
    p_cairo_arc(cairo, x + radius, y + radius, radius, 2 * quarter, 3 * quarter);
    p_cairo_close_path(cairo);
  } else {
    p_cairo_rectangle(cairo, x, y, width, height);
  }
  p_cairo_fill(cairo);
}

void helix_paint_line(helix_painter *painter, const double *points, int count, double width, int is_dashed, int is_filled, helix_paint_color color) {
  cairo_t *cairo = painter->cairo;
  static const double dash[] = {3, 3};
  set_color(painter, color);
  p_cairo_new_path(cairo);
  for (int place = 0; place < count; place++)
    (place == 0 ? p_cairo_move_to : p_cairo_line_to)(cairo, points[2 * place], points[2 * place + 1]);
  if (is_filled) {
    p_cairo_close_path(cairo);
    p_cairo_fill(cairo);
    return;
  }
  p_cairo_set_line_width(cairo, width);
  p_cairo_set_dash(cairo, dash, is_dashed ? 2 : 0, 0);
  p_cairo_stroke(cairo);
}

static void lay(helix_painter *painter, helix_paint_text text) {
  PangoLayout *layout = painter->layout;
  p_pango_font_description_set_absolute_size(painter->font, text.size * PANGO_SCALE);
  p_pango_font_description_set_weight(painter->font, text.is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  p_pango_layout_set_font_description(layout, painter->font);
  p_pango_layout_set_width(layout, (int)(text.width * PANGO_SCALE));
  // A negative height is a number of lines.
  p_pango_layout_set_height(layout, -text.lines);
  p_pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
  p_pango_layout_set_alignment(layout, text.align == 2 ? PANGO_ALIGN_RIGHT : text.align == 1 ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT);
  p_pango_layout_set_text(layout, text.text, -1);
}

void helix_paint_write(helix_painter *painter, helix_paint_text text, helix_paint_color color) {
  set_color(painter, color);
  lay(painter, text);
  p_cairo_move_to(painter->cairo, text.x, text.y);
  p_pango_cairo_show_layout(painter->cairo, painter->layout);
  painter->unknown += p_pango_layout_get_unknown_glyphs_count(painter->layout);
}

void helix_paint_measure(helix_painter *painter, helix_paint_text text, double *width, double *height) {
  int wide = 0, high = 0;
  lay(painter, text);
  p_pango_layout_get_size(painter->layout, &wide, &high);
  *width = (double)wide / PANGO_SCALE;
  *height = (double)high / PANGO_SCALE;
}

// cairo's pixels are multiplied by their opacity, in the order of the machine.
static int copy_pixels(helix_painter *painter) {
  p_cairo_surface_flush(painter->surface);
  const unsigned char *data = p_cairo_image_surface_get_data(painter->surface);
  int stride = p_cairo_image_surface_get_stride(painter->surface);
  size_t size = (size_t)painter->pixels_wide * (size_t)painter->pixels_high * 4;
  painter->bytes = malloc(size ? size : 1);
  if (!data || !painter->bytes) return 0;
  painter->size = size;
  unsigned char *target = painter->bytes;
  for (int y = 0; y < painter->pixels_high; y++) {
    for (int x = 0; x < painter->pixels_wide; x++, target += 4) {
      unsigned int pixel;
      memcpy(&pixel, data + (size_t)y * (size_t)stride + (size_t)x * 4, 4);
      unsigned int opacity = pixel >> 24;
      for (int part = 0; part < 3; part++) {
        unsigned int value = pixel >> (16 - 8 * part) & 0xFF;
        target[part] = opacity ? (unsigned char)((value * 255 + opacity / 2) / opacity) : 0;
      }
      target[3] = (unsigned char)opacity;
    }
  }
  return 1;
}

int helix_paint_end(helix_painter *painter, unsigned char **bytes, size_t *size, int *unknown) {
  int is_painted = p_cairo_status(painter->cairo) == CAIRO_STATUS_SUCCESS;
  switch (painter->form) {
    case HELIX_PAINT_PDF:
      p_cairo_show_page(painter->cairo);
      p_cairo_surface_finish(painter->surface);
      break;
    case HELIX_PAINT_PNG:
      p_cairo_surface_flush(painter->surface);
      is_painted = is_painted && p_cairo_surface_write_to_png_stream(painter->surface, append, painter) == CAIRO_STATUS_SUCCESS;
      break;
    default: is_painted = is_painted && copy_pixels(painter);
  }
  is_painted = is_painted && !painter->is_failed && p_cairo_surface_status(painter->surface) == CAIRO_STATUS_SUCCESS;
  *bytes = NULL;
  *size = 0;
  *unknown = painter->unknown;
  if (is_painted) {
    *bytes = painter->bytes;
    *size = painter->size;
    painter->bytes = NULL;
  }
  release(painter);
  return is_painted;
}
