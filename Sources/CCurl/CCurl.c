#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The functions and numbers that are used, as libcurl 7.85 and later have them; its binary interface keeps them for good.
#define FUNCTIONS(F)                                             \
  F(int, curl_global_init, (long))                               \
  F(void *, curl_easy_init, (void))                              \
  F(void, curl_easy_cleanup, (void *))                           \
  F(void, curl_easy_reset, (void *))                             \
  F(int, curl_easy_setopt, (void *, int, ...))                   \
  F(int, curl_easy_getinfo, (void *, int, ...))                  \
  F(int, curl_easy_perform, (void *))                            \
  F(int, curl_easy_send, (void *, const void *, size_t, size_t *)) \
  F(int, curl_easy_recv, (void *, void *, size_t, size_t *))     \
  F(const char *, curl_easy_strerror, (int))                     \
  F(void *, curl_slist_append, (void *, const char *))           \
  F(void, curl_slist_free_all, (void *))

#define DECLARE(result, name, arguments) static result(*name) arguments;
FUNCTIONS(DECLARE)

enum {
  OPTION_WRITEDATA = 10001,
  OPTION_URL = 10002,
  OPTION_ERRORBUFFER = 10010,
  OPTION_POSTFIELDS = 10015,
  OPTION_USERAGENT = 10018,
  OPTION_HTTPHEADER = 10023,
  OPTION_HEADERDATA = 10029,
  OPTION_XFERINFODATA = 10057,
  OPTION_CUSTOMREQUEST = 10036,
  OPTION_CAINFO = 10065,
  OPTION_ACCEPT_ENCODING = 10102,
  OPTION_USERNAME = 10173,
  OPTION_PASSWORD = 10174,
  OPTION_XOAUTH2_BEARER = 10220,
  OPTION_LOGIN_OPTIONS = 10224,
  OPTION_PROTOCOLS_STR = 10318,
  OPTION_WRITEFUNCTION = 20011,
  OPTION_HEADERFUNCTION = 20079,
  OPTION_XFERINFOFUNCTION = 20219,
  OPTION_POSTFIELDSIZE_LARGE = 30120,
  OPTION_NOPROGRESS = 43,
  OPTION_NOBODY = 44,
  OPTION_HTTPPROXYTUNNEL = 61,
  OPTION_SSL_VERIFYPEER = 64,
  OPTION_FRESH_CONNECT = 74,
  OPTION_HTTPGET = 80,
  OPTION_SSL_VERIFYHOST = 81,
  OPTION_HTTP_VERSION = 84,
  OPTION_NOSIGNAL = 99,
  OPTION_HTTPAUTH = 107,
  OPTION_USE_SSL = 119,
  OPTION_CONNECT_ONLY = 141,
  OPTION_TIMEOUT_MS = 155,
  OPTION_CERTINFO = 172,
  OPTION_CONNECTTIMEOUT_MS = 156,
  OPTION_TCP_KEEPALIVE = 213,
  OPTION_SASL_IR = 218,
  INFO_RESPONSE_CODE = 0x200000 + 2,
  INFO_CERTINFO = 0x400000 + 34,
  INFO_ACTIVESOCKET = 0x500000 + 44,
  CODE_OK = 0,
  CODE_FAILED_INIT = 2,
  CODE_WRITE_ERROR = 23,
  CODE_OUT_OF_MEMORY = 27,
  CODE_GOT_NOTHING = 52,
  CODE_FILESIZE_EXCEEDED = 63,
  CODE_AGAIN = 81,
  HTTP_1_1 = 2,
  AUTH_BASIC = 1,
  AUTH_DIGEST = 2,
  AUTH_BEARER = 64,
  GLOBAL_DEFAULT = 3,
  SSL_ALL = 3,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
#define FIND(result, name, arguments)      \
  *(void **)&name = dlsym(library, #name); \
  if (!name) return;
  FUNCTIONS(FIND)
  if (curl_global_init(GLOBAL_DEFAULT) == CODE_OK) loaded = 1;
}

int helix_curl_load(void) {
  pthread_once(&once, load);
  return loaded;
}

// The text of libcurl's own buffer says more than that of the number.
static void tell(helix_curl_problem *problem, int code, const char *detail) {
  problem->code = code;
  const char *text = detail && detail[0] ? detail : curl_easy_strerror(code);
  strncpy(problem->text, text, sizeof problem->text - 1);
  problem->text[sizeof problem->text - 1] = 0;
}

static void aim(void *handle, const helix_curl_target *target, const char *protocols) {
  curl_easy_setopt(handle, OPTION_URL, target->url);
  curl_easy_setopt(handle, OPTION_PROTOCOLS_STR, protocols);
  curl_easy_setopt(handle, OPTION_NOSIGNAL, 1L);
  curl_easy_setopt(handle, OPTION_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(handle, OPTION_CONNECTTIMEOUT_MS, (long)target->connect_timeout_ms);
  if (target->user) curl_easy_setopt(handle, OPTION_USERNAME, target->user);
  if (target->token) curl_easy_setopt(handle, OPTION_XOAUTH2_BEARER, target->token);
  else if (target->password) curl_easy_setopt(handle, OPTION_PASSWORD, target->password);
  if (target->login_options) curl_easy_setopt(handle, OPTION_LOGIN_OPTIONS, target->login_options);
  if (target->authorities) curl_easy_setopt(handle, OPTION_CAINFO, target->authorities);
  if (target->trusts_any) {
    curl_easy_setopt(handle, OPTION_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(handle, OPTION_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(handle, OPTION_CERTINFO, 1L);
  }
  if (target->must_upgrade) curl_easy_setopt(handle, OPTION_USE_SSL, (long)SSL_ALL);
}

struct helix_curl_stream {
  void *handle;
  int socket;
};

helix_curl_stream *helix_curl_open(const helix_curl_target *target, helix_curl_problem *problem) {
  char detail[256] = {0};
  if (!helix_curl_load()) {
    problem->code = CODE_FAILED_INIT;
    strcpy(problem->text, "libcurl is not installed");
    return NULL;
  }
  void *handle = curl_easy_init();
  helix_curl_stream *stream = calloc(1, sizeof *stream);
  int code = handle && stream ? CODE_OK : CODE_OUT_OF_MEMORY;
  if (code == CODE_OK) {
    curl_easy_setopt(handle, OPTION_ERRORBUFFER, detail);
    aim(handle, target, "imap,imaps,smtp,smtps,http,https");
    // An IMAP server must say that it takes the first answer with the command (RFC 4959); every SMTP server does (RFC 4954).
    if (strncmp(target->url, "smtp", 4) == 0) curl_easy_setopt(handle, OPTION_SASL_IR, 1L);
    // A stream over HTTP begins with a request of 1.1, and a proxy has no part in it.
    curl_easy_setopt(handle, OPTION_HTTP_VERSION, (long)HTTP_1_1);
    curl_easy_setopt(handle, OPTION_HTTPPROXYTUNNEL, 1L);
    // The end of this time ends the signing in, not only the connecting.
    curl_easy_setopt(handle, OPTION_TIMEOUT_MS, (long)target->connect_timeout_ms * 2);
    curl_easy_setopt(handle, OPTION_CONNECT_ONLY, 1L);
    code = curl_easy_perform(handle);
  }
  if (code == CODE_OK) code = curl_easy_getinfo(handle, INFO_ACTIVESOCKET, &stream->socket);
  if (code == CODE_OK && stream->socket < 0) code = CODE_GOT_NOTHING;
  if (code != CODE_OK) {
    tell(problem, code, detail);
    if (handle) curl_easy_cleanup(handle);
    free(stream);
    return NULL;
  }
  // The buffer is gone when this function is.
  curl_easy_setopt(handle, OPTION_ERRORBUFFER, NULL);
  stream->handle = handle;
  return stream;
}

void helix_curl_close(helix_curl_stream *stream) {
  if (!stream) return;
  curl_easy_cleanup(stream->handle);
  free(stream);
}

const char *helix_curl_certificate(helix_curl_stream *stream) {
  // As curl.h has them.
  struct list {
    char *data;
    struct list *next;
  };
  struct {
    int count;
    struct list **chain;
  } *found = NULL;
  if (curl_easy_getinfo(stream->handle, INFO_CERTINFO, &found) != CODE_OK || !found || found->count < 1) return NULL;
  for (struct list *line = found->chain[0]; line; line = line->next) {
    if (strncmp(line->data, "Cert:", 5) == 0) return line->data + 5;
  }
  return NULL;
}

int64_t helix_curl_send(helix_curl_stream *stream, const uint8_t *bytes, size_t count) {
  size_t sent = 0;
  int code = curl_easy_send(stream->handle, bytes, count, &sent);
  if (code == CODE_AGAIN) return 0;
  return code == CODE_OK ? (int64_t)sent : -1;
}

int64_t helix_curl_receive(helix_curl_stream *stream, uint8_t *bytes, size_t room) {
  size_t received = 0;
  int code = curl_easy_recv(stream->handle, bytes, room, &received);
  if (code == CODE_AGAIN) return 0;
  if (code != CODE_OK) return -1;
  return received == 0 ? -2 : (int64_t)received;
}

int helix_curl_wait(helix_curl_stream *stream, int writes, int descriptor, int milliseconds) {
  struct pollfd places[2] = {{stream->socket, writes ? POLLOUT : POLLIN, 0}, {descriptor, POLLIN, 0}};
  int code;
  do code = poll(places, descriptor >= 0 ? 2 : 1, milliseconds);
  while (code < 0 && errno == EINTR);
  if (code <= 0) return code;
  return places[0].revents ? 1 : 2;
}

typedef struct {
  uint8_t *bytes;
  size_t count, room, most;
} Buffer;

struct helix_curl_http {
  void *handle;
  Buffer head, body;
  helix_curl_sink sink;
  void *sink_context;
  int once;
};

static size_t gather(char *bytes, size_t size, size_t count, void *context) {
  Buffer *buffer = context;
  size_t added = size * count;
  if (buffer->count + added > buffer->most) return 0;
  if (buffer->count + added > buffer->room) {
    size_t room = buffer->room ? buffer->room : 16384;
    while (room < buffer->count + added) room *= 2;
    uint8_t *grown = realloc(buffer->bytes, room);
    if (!grown) return 0;
    buffer->bytes = grown;
    buffer->room = room;
  }
  memcpy(buffer->bytes + buffer->count, bytes, added);
  buffer->count += added;
  return added;
}

static size_t gather_head(char *bytes, size_t size, size_t count, void *context) {
  // Of '100 Continue' and the asking for a password only the last answer counts.
  if (size * count > 5 && memcmp(bytes, "HTTP/", 5) == 0) ((Buffer *)context)->count = 0;
  return gather(bytes, size, count, context);
}

static size_t pass_on(char *bytes, size_t size, size_t count, void *context) {
  helix_curl_http *client = context;
  long status = 0;
  curl_easy_getinfo(client->handle, INFO_RESPONSE_CODE, &status);
  // Why something was refused is read as a whole.
  if (status < 200 || status > 299) return gather(bytes, size, count, &client->body);
  return client->sink(client->sink_context, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static int ask_whether_to_go_on(void *context, int64_t a, int64_t b, int64_t c, int64_t d) {
  (void)a, (void)b, (void)c, (void)d;
  helix_curl_http *client = context;
  return client->sink(client->sink_context, NULL, 0) ? 0 : 1;
}

void helix_curl_http_stream(helix_curl_http *client, helix_curl_sink sink, void *context) {
  client->sink = sink;
  client->sink_context = context;
}

helix_curl_http *helix_curl_http_new(void) {
  if (!helix_curl_load()) return NULL;
  helix_curl_http *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->handle = curl_easy_init();
  if (client->handle) return client;
  free(client);
  return NULL;
}

void helix_curl_http_once(helix_curl_http *client, int once) { client->once = once; }

void helix_curl_http_free(helix_curl_http *client) {
  if (!client) return;
  curl_easy_cleanup(client->handle);
  free(client->head.bytes);
  free(client->body.bytes);
  free(client);
}

int helix_curl_http_request(
    helix_curl_http *client, const helix_curl_target *target, const char *method, const char *const *headers,
    const uint8_t *body, size_t body_count, size_t most, int timeout_ms, helix_curl_answer *answer,
    helix_curl_problem *problem) {
  char detail[256] = {0};
  void *handle = client->handle;
  // Connections are kept.
  curl_easy_reset(handle);
  client->head.count = client->body.count = 0;
  client->head.most = 1 << 20;
  client->body.most = most;
  curl_easy_setopt(handle, OPTION_ERRORBUFFER, detail);
  aim(handle, target, "http,https");
  curl_easy_setopt(handle, OPTION_TIMEOUT_MS, (long)timeout_ms);
  // On a line that was used before, libcurl sends a request again by itself if that breaks before an answer comes.
  if (client->once) curl_easy_setopt(handle, OPTION_FRESH_CONNECT, 1L);
  curl_easy_setopt(handle, OPTION_USERAGENT, "helix");
  curl_easy_setopt(handle, OPTION_ACCEPT_ENCODING, "");
  if (target->token) curl_easy_setopt(handle, OPTION_HTTPAUTH, (long)AUTH_BEARER);
  else if (target->user) curl_easy_setopt(handle, OPTION_HTTPAUTH, (long)AUTH_BASIC);
  void *list = NULL;
  for (; headers && *headers; headers++) list = curl_slist_append(list, *headers);
  if (list) curl_easy_setopt(handle, OPTION_HTTPHEADER, list);
  if (body) {
    curl_easy_setopt(handle, OPTION_POSTFIELDS, (const char *)body);
    curl_easy_setopt(handle, OPTION_POSTFIELDSIZE_LARGE, (int64_t)body_count);
  } else {
    curl_easy_setopt(handle, OPTION_HTTPGET, 1L);
    if (strcmp(method, "HEAD") == 0) curl_easy_setopt(handle, OPTION_NOBODY, 1L);
  }
  curl_easy_setopt(handle, OPTION_CUSTOMREQUEST, method);
  curl_easy_setopt(handle, OPTION_WRITEFUNCTION, gather);
  curl_easy_setopt(handle, OPTION_WRITEDATA, &client->body);
  if (client->sink) {
    curl_easy_setopt(handle, OPTION_WRITEFUNCTION, pass_on);
    curl_easy_setopt(handle, OPTION_WRITEDATA, client);
    curl_easy_setopt(handle, OPTION_XFERINFOFUNCTION, ask_whether_to_go_on);
    curl_easy_setopt(handle, OPTION_XFERINFODATA, client);
    curl_easy_setopt(handle, OPTION_NOPROGRESS, 0L);
  }
  curl_easy_setopt(handle, OPTION_HEADERFUNCTION, gather_head);
  curl_easy_setopt(handle, OPTION_HEADERDATA, &client->head);
  int code = curl_easy_perform(handle);
  if (list) curl_slist_free_all(list);
  curl_easy_setopt(handle, OPTION_ERRORBUFFER, NULL);
  if (code != CODE_OK) {
    tell(problem, code == CODE_WRITE_ERROR ? CODE_FILESIZE_EXCEEDED : code, code == CODE_WRITE_ERROR ? NULL : detail);
    return 0;
  }
  curl_easy_getinfo(handle, INFO_RESPONSE_CODE, &answer->status);
  answer->head = client->head.bytes;
  answer->head_count = client->head.count;
  answer->body = client->body.bytes;
  answer->body_count = client->body.count;
  return 1;
}
