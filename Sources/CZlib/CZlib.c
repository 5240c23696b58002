#include "CZlib.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// The functions and numbers of zlib 1.2 that are used; its binary interface keeps them for good.
typedef struct {
  const uint8_t *next_in;
  unsigned available_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned available_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *allocate, *release, *opaque;
  int data_type;
  unsigned long check, reserved;
} z_stream;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, Z_SYNC_FLUSH = 2, Z_DEFLATED = 8, RAW_WINDOW = -15 };

static int (*deflate_init)(z_stream *, int, int, int, int, int, const char *, int);
static int (*inflate_init)(z_stream *, int, const char *, int);
static int (*deflate_run)(z_stream *, int);
static int (*inflate_run)(z_stream *, int);
static int (*deflate_end)(z_stream *);
static int (*inflate_end)(z_stream *);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  *(void **)&deflate_init = dlsym(library, "deflateInit2_");
  *(void **)&inflate_init = dlsym(library, "inflateInit2_");
  *(void **)&deflate_run = dlsym(library, "deflate");
  *(void **)&inflate_run = dlsym(library, "inflate");
  *(void **)&deflate_end = dlsym(library, "deflateEnd");
  *(void **)&inflate_end = dlsym(library, "inflateEnd");
}

struct helix_deflate {
  z_stream packer, unpacker;
};

helix_deflate *helix_deflate_open(void) {
  pthread_once(&once, load);
  if (!deflate_init || !inflate_init || !deflate_run || !inflate_run || !deflate_end || !inflate_end) return NULL;
  helix_deflate *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  // Level 6, 8 levels of memory, the usual strategy.
  if (deflate_init(&stream->packer, 6, Z_DEFLATED, RAW_WINDOW, 8, 0, "1.2", sizeof(z_stream)) != Z_OK) {
    free(stream);
    return NULL;
  }
  if (inflate_init(&stream->unpacker, RAW_WINDOW, "1.2", sizeof(z_stream)) != Z_OK) {
    deflate_end(&stream->packer);
    free(stream);
    return NULL;
  }
  return stream;
}

void helix_deflate_close(helix_deflate *stream) {
  deflate_end(&stream->packer);
  inflate_end(&stream->unpacker);
  free(stream);
}

int64_t helix_deflate_run(
    helix_deflate *stream, int packs, const uint8_t *bytes, size_t count, size_t *taken, uint8_t *room, size_t room_count) {
  z_stream *z = packs ? &stream->packer : &stream->unpacker;
  unsigned given = count > UINT_MAX ? UINT_MAX : (unsigned)count;
  unsigned space = room_count > UINT_MAX ? UINT_MAX : (unsigned)room_count;
  z->next_in = bytes;
  z->available_in = given;
  z->next_out = room;
  z->available_out = space;
  int code = packs ? deflate_run(z, Z_SYNC_FLUSH) : inflate_run(z, Z_SYNC_FLUSH);
  *taken = given - z->available_in;
  if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END) return -1;
  return space - z->available_out;
}
