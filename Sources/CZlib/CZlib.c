#include "CZlib.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

static __typeof__(deflateInit2_) *deflate_init;
static __typeof__(inflateInit2_) *inflate_init;
static __typeof__(deflate) *deflate_run;
static __typeof__(inflate) *inflate_run;
static __typeof__(deflateEnd) *deflate_end;
static __typeof__(inflateEnd) *inflate_end;
// A window of 32 KB, and no header.
enum { RAW_WINDOW = -MAX_WBITS };
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
  deflate_init = dlsym(library, "deflateInit2_");
  inflate_init = dlsym(library, "inflateInit2_");
  deflate_run = dlsym(library, "deflate");
  inflate_run = dlsym(library, "inflate");
  deflate_end = dlsym(library, "deflateEnd");
  inflate_end = dlsym(library, "inflateEnd");
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
  if (deflate_init(&stream->packer, 6, Z_DEFLATED, RAW_WINDOW, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof(z_stream)) != Z_OK) {
    free(stream);
    return NULL;
  }
  if (inflate_init(&stream->unpacker, RAW_WINDOW, ZLIB_VERSION, sizeof(z_stream)) != Z_OK) {
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
  z->next_in = (Bytef *)bytes;
  z->avail_in = given;
  z->next_out = room;
  z->avail_out = space;
  int code = packs ? deflate_run(z, Z_SYNC_FLUSH) : inflate_run(z, Z_SYNC_FLUSH);
  *taken = given - z->avail_in;
  if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END) return -1;
  return space - z->avail_out;
}
