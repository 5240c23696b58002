#include "CPixbuf.h"

#include <dlfcn.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static __typeof__(gdk_pixbuf_get_file_info) *file_info;
static __typeof__(gdk_pixbuf_new_from_file_at_scale) *load_at_scale;
static __typeof__(gdk_pixbuf_new_from_file) *load_whole;
static __typeof__(gdk_pixbuf_format_get_name) *format_name;
static __typeof__(gdk_pixbuf_apply_embedded_orientation) *turn;
static __typeof__(gdk_pixbuf_get_has_alpha) *has_alpha;
static __typeof__(gdk_pixbuf_save_to_bufferv) *save;
static __typeof__(gdk_pixbuf_get_width) *pixel_width;
static __typeof__(gdk_pixbuf_get_height) *pixel_height;
static __typeof__(gdk_pixbuf_get_rowstride) *row_bytes;
static __typeof__(gdk_pixbuf_get_n_channels) *channel_count;
static __typeof__(gdk_pixbuf_read_pixels) *read_pixels;
static __typeof__((g_object_unref)) *unref;
static __typeof__((g_free)) *release;
static __typeof__(g_error_free) *release_error;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_there;

static void load(void) {
  void *library = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  file_info = dlsym(library, "gdk_pixbuf_get_file_info");
  load_at_scale = dlsym(library, "gdk_pixbuf_new_from_file_at_scale");
  load_whole = dlsym(library, "gdk_pixbuf_new_from_file");
  format_name = dlsym(library, "gdk_pixbuf_format_get_name");
  turn = dlsym(library, "gdk_pixbuf_apply_embedded_orientation");
  has_alpha = dlsym(library, "gdk_pixbuf_get_has_alpha");
  save = dlsym(library, "gdk_pixbuf_save_to_bufferv");
  pixel_width = dlsym(library, "gdk_pixbuf_get_width");
  pixel_height = dlsym(library, "gdk_pixbuf_get_height");
  row_bytes = dlsym(library, "gdk_pixbuf_get_rowstride");
  channel_count = dlsym(library, "gdk_pixbuf_get_n_channels");
  read_pixels = dlsym(library, "gdk_pixbuf_read_pixels");
  // These are GLib's, which the library itself has opened.
  unref = dlsym(library, "g_object_unref");
  release = dlsym(library, "g_free");
  release_error = dlsym(library, "g_error_free");
  is_there = file_info && format_name && load_at_scale && load_whole && turn && has_alpha && save && pixel_width && pixel_height && row_bytes && channel_count && read_pixels &&
             unref && release && release_error;
}

// Loads an image of at most that size, turned upright.
static GdkPixbuf *load_image(const char *path, int wide, int high, int *result) {
  pthread_once(&once, load);
  *result = HELIX_PREVIEW_NO_LIBRARY;
  if (!is_there) return NULL;
  int width = 0, height = 0;
  *result = HELIX_PREVIEW_NO_IMAGE;
  GdkPixbufFormat *format = file_info(path, &width, &height);
  if (!format || width < 1 || height < 1) return NULL;
  // Photos and scans; other loaders, such as that of SVG, read whole documents of strangers.
  static const char *const known[] = {"jpeg", "png", "gif", "webp", "tiff", "bmp"};
  char *name = format_name(format);
  int is_known = 0;
  for (size_t place = 0; name && place < sizeof known / sizeof *known; place++)
    is_known |= strcmp(name, known[place]) == 0;
  release(name);
  if (!is_known) return NULL;
  // A small file can stand for a picture that fills the memory.
  *result = HELIX_PREVIEW_TOO_LARGE;
  if ((long long)width * height > 100LL * 1000 * 1000) return NULL;
  *result = HELIX_PREVIEW_NO_IMAGE;
  GError *error = NULL;
  GdkPixbuf *loaded = width > wide || height > high ? load_at_scale(path, wide, high, 1, &error) : load_whole(path, &error);
  if (!loaded) {
    if (error) release_error(error);
    return NULL;
  }
  GdkPixbuf *image = turn(loaded);
  if (image) unref(loaded); else image = loaded;
  *result = HELIX_PREVIEW_DONE;
  return image;
}

// Saves an image, and gives it back.
static int save_image(GdkPixbuf *image, const char *type, unsigned char **bytes, size_t *size) {
  char *keys[] = {strcmp(type, "png") == 0 ? NULL : "quality", NULL}, *values[] = {strcmp(type, "png") == 0 ? NULL : "82", NULL};
  char *buffer = NULL;
  gsize count = 0;
  GError *error = NULL;
  int is_saved = save(image, &buffer, &count, type, keys, values, &error);
  unref(image);
  if (!is_saved) {
    if (error) release_error(error);
    return HELIX_PREVIEW_NO_IMAGE;
  }
  *bytes = malloc(count ? count : 1);
  if (*bytes) memcpy(*bytes, buffer, count);
  *size = count;
  release(buffer);
  return *bytes ? HELIX_PREVIEW_DONE : HELIX_PREVIEW_TOO_LARGE;
}

int helix_preview(const char *path, int most, unsigned char **bytes, size_t *size, int *is_png) {
  int result = 0;
  GdkPixbuf *image = load_image(path, most, most, &result);
  if (!image) return result;
  *is_png = has_alpha(image);
  return save_image(image, *is_png ? "png" : "jpeg", bytes, size);
}

int helix_scaled_image(const char *path, int wide, int high, int as_png, unsigned char **bytes, size_t *size, int *width, int *height) {
  int result = 0;
  GdkPixbuf *image = load_image(path, wide, high, &result);
  if (!image) return result;
  *width = pixel_width(image);
  *height = pixel_height(image);
  if (as_png) return save_image(image, "png", bytes, size);
  int channels = channel_count(image), stride = row_bytes(image);
  const unsigned char *pixels = read_pixels(image);
  *size = (size_t)*width * (size_t)*height * 4;
  unsigned char *target = *bytes = malloc(*size);
  for (int y = 0; target && y < *height; y++) {
    const unsigned char *source = pixels + (size_t)y * (size_t)stride;
    for (int x = 0; x < *width; x++, source += channels, target += 4) {
      memcpy(target, source, 3);
      target[3] = channels > 3 ? source[3] : 255;
    }
  }
  unref(image);
  return *bytes ? HELIX_PREVIEW_DONE : HELIX_PREVIEW_TOO_LARGE;
}
