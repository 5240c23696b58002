#include "CGMime.h"

#include <dlfcn.h>
#include <gmime/gmime.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// The functions that are used, with the signatures of the headers; the library is opened when it is first needed.
#define FUNCTIONS(F) \
  F(g_mime_init) \
  F(g_mime_stream_mem_new_with_buffer) \
  F(g_mime_stream_fs_new_with_bounds) \
  F(g_mime_stream_filter_new) \
  F(g_mime_stream_filter_add) \
  F(g_mime_stream_read) \
  F(g_mime_stream_reset) \
  F(g_mime_stream_length) \
  F(g_mime_stream_mem_new) \
  F(g_mime_object_write_to_stream) \
  F(g_mime_filter_basic_new) \
  F(g_mime_parser_new_with_stream) \
  F(g_mime_parser_set_persist_stream) \
  F(g_mime_parser_construct_message) \
  F(g_mime_message_get_mime_part) \
  F(g_mime_object_get_header_list) \
  F(g_mime_header_list_get_count) \
  F(g_mime_header_list_get_header_at) \
  F(g_mime_header_list_get_header) \
  F(g_mime_header_get_name) \
  F(g_mime_header_get_raw_value) \
  F(g_mime_object_get_content_type) \
  F(g_mime_content_type_get_media_type) \
  F(g_mime_content_type_get_media_subtype) \
  F(g_mime_multipart_get_type) \
  F(g_mime_message_part_get_type) \
  F(g_mime_part_get_type) \
  F(g_mime_multipart_get_count) \
  F(g_mime_multipart_get_part) \
  F(g_mime_message_part_get_message) \
  F(g_mime_part_get_content) \
  F(g_mime_data_wrapper_get_stream) \
  F(g_mime_data_wrapper_get_encoding) \
  F(g_type_check_instance_is_a) \
  F(g_object_unref) \
  F(internet_address_list_parse) \
  F(internet_address_list_length) \
  F(internet_address_list_get_address) \
  F(internet_address_get_name) \
  F(internet_address_mailbox_get_type) \
  F(internet_address_group_get_type) \
  F(internet_address_mailbox_get_addr) \
  F(internet_address_group_get_members) \
  F(g_mime_utils_header_decode_date) \
  F(g_date_time_to_unix) \
  F(g_date_time_get_utc_offset) \
  F(g_date_time_unref) \
  F(g_log_set_default_handler)

#define DECLARE(name) static __typeof__((name)) *helix_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void ignore(const char *domain, int level, const char *text, void *context) {
  (void)domain, (void)level, (void)text, (void)context;
}

static void load(void) {
  void *library = dlopen("libgmime-3.0.so.0", RTLD_LAZY | RTLD_GLOBAL);
  if (!library) return;
#define FIND(name)                      \
  helix_##name = dlsym(library, #name); \
  if (!helix_##name) return;
  FUNCTIONS(FIND)
  helix_g_mime_init();
  // What it has to say about broken messages would stand between the lines of the output.
  helix_g_log_set_default_handler((void *)ignore, NULL);
  loaded = 1;
}

int helix_mime_load(void) {
  pthread_once(&once, load);
  return loaded;
}

static pthread_t loader;

static void *load_aside(void *nothing) {
  (void)nothing;
  helix_mime_load();
  return NULL;
}

// The program must not end while a library is being opened in it.
static void await_loader(void) { pthread_join(loader, NULL); }

void helix_mime_load_aside(void) {
  static int begun = 0;
  if (begun++) return;
  if (pthread_create(&loader, NULL, load_aside, NULL) == 0) atexit(await_loader);
}

// No honest message comes near these.
enum { MAX_PARTS = 5000, MAX_DEPTH = 64, MAX_HEADERS = 20000 };

struct entry {
  helix_mime_part part;
  void *object;
};

struct helix_mime {
  void *message;
  void *stream;
  int descriptor;
  struct entry *entries;
  int32_t count;
  int32_t capacity;
  int is_cut;
};

static const char *raw_header(void *object, const char *name) {
  void *header = helix_g_mime_header_list_get_header(helix_g_mime_object_get_header_list(object), name);
  return header ? helix_g_mime_header_get_raw_value(header) : NULL;
}

static void walk(helix_mime *result, void *object, int32_t depth, int32_t parent) {
  if (!object) return;
  if (depth > MAX_DEPTH || result->count >= MAX_PARTS) {
    result->is_cut = 1;
    return;
  }
  if (result->count == result->capacity) {
    int32_t capacity = result->capacity ? result->capacity * 2 : 8;
    struct entry *grown = realloc(result->entries, sizeof *grown * (size_t)capacity);
    if (!grown) {
      result->is_cut = 1;
      return;
    }
    result->entries = grown;
    result->capacity = capacity;
  }
  int32_t place = result->count++;
  helix_mime_part part = {0};
  part.depth = depth;
  part.parent = parent;
  part.encoded_size = -1;
  void *type = helix_g_mime_object_get_content_type(object);
  part.type = type ? helix_g_mime_content_type_get_media_type(type) : NULL;
  part.subtype = type ? helix_g_mime_content_type_get_media_subtype(type) : NULL;
  part.content_type = raw_header(object, "Content-Type");
  part.disposition = raw_header(object, "Content-Disposition");
  part.content_id = raw_header(object, "Content-ID");
  part.description = raw_header(object, "Content-Description");
  void *message = NULL;
  if (helix_g_type_check_instance_is_a(object, helix_g_mime_multipart_get_type())) {
    part.kind = HELIX_MIME_MULTIPART;
  } else if (helix_g_type_check_instance_is_a(object, helix_g_mime_message_part_get_type())) {
    part.kind = HELIX_MIME_MESSAGE;
    message = helix_g_mime_message_part_get_message(object);
  } else if (helix_g_type_check_instance_is_a(object, helix_g_mime_part_get_type())) {
    void *content = helix_g_mime_part_get_content(object);
    void *stream = content ? helix_g_mime_data_wrapper_get_stream(content) : NULL;
    if (stream) part.encoded_size = helix_g_mime_stream_length(stream);
  }
  result->entries[place].part = part;
  result->entries[place].object = object;
  if (part.kind == HELIX_MIME_MULTIPART) {
    int count = helix_g_mime_multipart_get_count(object);
    for (int index = 0; index < count && !(result->is_cut && result->count >= MAX_PARTS); index++) {
      walk(result, helix_g_mime_multipart_get_part(object, index), depth + 1, place);
    }
  } else if (message) {
    walk(result, helix_g_mime_message_get_mime_part(message), depth + 1, place);
  }
}

static helix_mime *parse(void *stream, int descriptor) {
  helix_mime *result = stream ? calloc(1, sizeof *result) : NULL;
  if (!result) {
    if (stream) helix_g_object_unref(stream);
    else if (descriptor >= 0) close(descriptor);
    return NULL;
  }
  result->stream = stream;
  void *parser = helix_g_mime_parser_new_with_stream(stream);
  helix_g_mime_parser_set_persist_stream(parser, 1);
  result->message = helix_g_mime_parser_construct_message(parser, NULL);
  helix_g_object_unref(parser);
  if (!result->message) {
    helix_mime_free(result);
    return NULL;
  }
  walk(result, helix_g_mime_message_get_mime_part(result->message), 0, -1);
  return result;
}

helix_mime *helix_mime_parse_bytes(const uint8_t *bytes, size_t count) {
  if (!helix_mime_load()) return NULL;
  return parse(helix_g_mime_stream_mem_new_with_buffer((const char *)bytes, count), -1);
}

helix_mime *helix_mime_parse_file(int descriptor, int64_t offset) {
  if (!helix_mime_load()) {
    close(descriptor);
    return NULL;
  }
  // The stream owns the descriptor.
  return parse(helix_g_mime_stream_fs_new_with_bounds(descriptor, offset, -1), descriptor);
}

void helix_mime_free(helix_mime *message) {
  if (!message) return;
  if (message->message) helix_g_object_unref(message->message);
  helix_g_object_unref(message->stream);
  free(message->entries);
  free(message);
}

int helix_mime_is_cut(const helix_mime *message) { return message->is_cut; }
int32_t helix_mime_part_count(const helix_mime *message) { return message->count; }
helix_mime_part helix_mime_part_at(const helix_mime *message, int32_t part) { return message->entries[part].part; }

static void *headers(const helix_mime *message, int32_t part) {
  void *object = message->message;
  if (part >= 0) {
    object = message->entries[part].object;
    if (message->entries[part].part.kind == HELIX_MIME_MESSAGE) {
      object = helix_g_mime_message_part_get_message(object);
    }
  }
  return object ? helix_g_mime_object_get_header_list(object) : NULL;
}

int32_t helix_mime_header_count(const helix_mime *message, int32_t part) {
  void *list = headers(message, part);
  int count = list ? helix_g_mime_header_list_get_count(list) : 0;
  return count > MAX_HEADERS ? MAX_HEADERS : count;
}

void helix_mime_header(const helix_mime *message, int32_t part, int32_t index, const char **name, const char **value) {
  void *header = helix_g_mime_header_list_get_header_at(headers(message, part), index);
  *name = header ? helix_g_mime_header_get_name(header) : NULL;
  *value = header ? helix_g_mime_header_get_raw_value(header) : NULL;
}

// Gives what a stream has to a sink, until that says 0.
static int drain(void *stream, void *context, int (*sink)(void *, const uint8_t *, size_t)) {
  char buffer[16384];
  ssize_t count;
  while ((count = helix_g_mime_stream_read(stream, buffer, sizeof buffer)) > 0) {
    if (!sink(context, (const uint8_t *)buffer, (size_t)count)) break;
  }
  helix_g_object_unref(stream);
  return count >= 0;
}

int helix_mime_read(
    const helix_mime *message, int32_t part, void *context, int (*sink)(void *, const uint8_t *, size_t)) {
  const struct entry *entry = &message->entries[part];
  if (entry->part.kind == HELIX_MIME_MESSAGE) {
    void *inner = helix_g_mime_message_part_get_message(entry->object);
    void *memory = inner ? helix_g_mime_stream_mem_new() : NULL;
    if (!memory) return 0;
    helix_g_mime_object_write_to_stream(inner, NULL, memory);
    helix_g_mime_stream_reset(memory);
    return drain(memory, context, sink);
  }
  if (entry->part.kind != HELIX_MIME_LEAF) return 0;
  if (!helix_g_type_check_instance_is_a(entry->object, helix_g_mime_part_get_type())) return 0;
  void *content = helix_g_mime_part_get_content(entry->object);
  void *source = content ? helix_g_mime_data_wrapper_get_stream(content) : NULL;
  if (!source) return 0;
  helix_g_mime_stream_reset(source);
  void *stream = helix_g_mime_stream_filter_new(source);
  GMimeContentEncoding encoding = helix_g_mime_data_wrapper_get_encoding(content);
  // Base64, quoted-printable and uuencode; all else stands as it is.
  if (encoding == GMIME_CONTENT_ENCODING_BASE64 || encoding == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE ||
      encoding == GMIME_CONTENT_ENCODING_UUENCODE) {
    void *filter = helix_g_mime_filter_basic_new(encoding, 0);
    helix_g_mime_stream_filter_add(stream, filter);
    helix_g_object_unref(filter);
  }
  return drain(stream, context, sink);
}

int helix_mime_write(
    const helix_mime *message, int32_t part, void *context, int (*sink)(void *, const uint8_t *, size_t)) {
  void *memory = helix_g_mime_stream_mem_new();
  if (!memory) return 0;
  helix_g_mime_object_write_to_stream(message->entries[part].object, NULL, memory);
  helix_g_mime_stream_reset(memory);
  return drain(memory, context, sink);
}

static void list_addresses(
    void *list, int depth, void *context, void (*sink)(void *, const char *, const char *)) {
  int count = helix_internet_address_list_length(list);
  for (int index = 0; index < count; index++) {
    void *address = helix_internet_address_list_get_address(list, index);
    if (helix_g_type_check_instance_is_a(address, helix_internet_address_mailbox_get_type())) {
      sink(context, helix_internet_address_get_name(address), helix_internet_address_mailbox_get_addr(address));
    } else if (helix_g_type_check_instance_is_a(address, helix_internet_address_group_get_type()) && depth < 4) {
      void *members = helix_internet_address_group_get_members(address);
      if (members && helix_internet_address_list_length(members) > 0) {
        list_addresses(members, depth + 1, context, sink);
      } else {
        sink(context, helix_internet_address_get_name(address), NULL);
      }
    }
  }
}

void helix_mime_addresses(
    const char *value, void *context, void (*sink)(void *, const char *name, const char *address)) {
  if (!helix_mime_load()) return;
  void *list = helix_internet_address_list_parse(NULL, value);
  if (!list) return;
  list_addresses(list, 0, context, sink);
  helix_g_object_unref(list);
}

int helix_mime_date(const char *value, int64_t *seconds, int32_t *offset) {
  if (!helix_mime_load()) return 0;
  void *date = helix_g_mime_utils_header_decode_date(value);
  if (!date) return 0;
  *seconds = helix_g_date_time_to_unix(date);
  *offset = (int32_t)(helix_g_date_time_get_utc_offset(date) / 1000000);
  helix_g_date_time_unref(date);
  return 1;
}
