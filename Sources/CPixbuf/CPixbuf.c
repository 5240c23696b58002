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
  // These are GLib's, which the library itself has opened.
  unref = dlsym(library, "g_object_unref");
  release = dlsym(library, "g_free");
  release_error = dlsym(library, "g_error_free");
  is_there = file_info && format_name && load_at_scale && load_whole && turn && has_alpha && save && unref && release && release_error;
}

int helix_preview(const char *path, int most, unsigned char **bytes, size_t *size, int *is_png) {
  pthread_once(&once, load);
  if (!is_there) return HELIX_PREVIEW_NO_LIBRARY;
  int width = 0, height = 0;
  GdkPixbufFormat *format = file_info(path, &width, &height);
  if (!format || width < 1 || height < 1) return HELIX_PREVIEW_NO_IMAGE;
  // Photos and scans; other loaders, such as that of SVG, read whole documents of strangers.
  static const char *const known[] = {"jpeg", "png", "gif", "webp", "tiff", "bmp"};
  char *name = format_name(format);
  int is_known = 0;
  for (size_t place = 0; name && place < sizeof known / sizeof *known; place++)
    is_known |= strcmp(name, known[place]) == 0;
  release(name);
  if (!is_known) return HELIX_PREVIEW_NO_IMAGE;
  // A small file can stand for a picture that fills the memory.
  if ((long long)width * height > 100LL * 1000 * 1000) return HELIX_PREVIEW_TOO_LARGE;
  GError *error = NULL;
  GdkPixbuf *loaded = width > most || height > most ? load_at_scale(path, most, most, 1, &error) : load_whole(path, &error);
  if (!loaded) {
    if (error) release_error(error);
    return HELIX_PREVIEW_NO_IMAGE;
  }
  GdkPixbuf *image = turn(loaded);
  if (image) unref(loaded); else image = loaded;
  *is_png = has_alpha(image);
  char *keys[] = {*is_png ? NULL : "quality", NULL}, *values[] = {*is_png ? NULL : "82", NULL};
  char *buffer = NULL;
  gsize count = 0;
  int is_saved = save(image, &buffer, &count, *is_png ? "png" : "jpeg", keys, values, &error);
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
