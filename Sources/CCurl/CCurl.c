#define _GNU_SOURCE
#include "CCurl.h"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The functions that are used, with the signatures of the header; the library is opened when it is first needed.
#define FUNCTIONS(F) \
  F(curl_global_init) \
  F(curl_easy_init) \
  F(curl_easy_cleanup) \
  F(curl_easy_reset) \
  F(curl_easy_setopt) \
  F(curl_easy_getinfo) \
  F(curl_easy_perform) \
  F(curl_easy_send) \
  F(curl_easy_recv) \
  F(curl_easy_strerror) \
  F(curl_slist_append) \
  F(curl_slist_free_all)

#define DECLARE(name) static __typeof__(name) *helix_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded = 0;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                         \
  helix_##name = dlsym(library, #name);    \
  if (!helix_##name) return;
  FUNCTIONS(FIND)
  if (helix_curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) loaded = 1;
}

int helix_curl_load(void) {
  pthread_once(&once, load);
  return loaded;
}

// The text of libcurl's own buffer says more than that of the number.
static void tell(helix_curl_problem *problem, int code, const char *detail) {
  problem->code = code;
  const char *text = detail && detail[0] ? detail : helix_curl_easy_strerror(code);
  strncpy(problem->text, text, sizeof problem->text - 1);
  problem->text[sizeof problem->text - 1] = 0;
}

static void aim(void *handle, const helix_curl_target *target, const char *protocols) {
  helix_curl_easy_setopt(handle, CURLOPT_URL, target->url);
  helix_curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, protocols);
  helix_curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  helix_curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
  helix_curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)target->connect_timeout_ms);
  if (target->user) helix_curl_easy_setopt(handle, CURLOPT_USERNAME, target->user);
  if (target->token) helix_curl_easy_setopt(handle, CURLOPT_XOAUTH2_BEARER, target->token);
  else if (target->password) helix_curl_easy_setopt(handle, CURLOPT_PASSWORD, target->password);
  if (target->login_options) helix_curl_easy_setopt(handle, CURLOPT_LOGIN_OPTIONS, target->login_options);
  if (target->authorities) helix_curl_easy_setopt(handle, CURLOPT_CAINFO, target->authorities);
  if (target->trusts_any) {
    helix_curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
    helix_curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
    helix_curl_easy_setopt(handle, CURLOPT_CERTINFO, 1L);
  }
  if (target->must_upgrade) helix_curl_easy_setopt(handle, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
}

struct helix_curl_stream {
  void *handle;
  int socket;
};

static curl_socket_t give(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose, (void)address;
  // Once: a second attempt must not get a socket that is closed.
  int given = *(int *)context;
  *(int *)context = CURL_SOCKET_BAD;
  return given;
}

static int is_connected(void *context, curl_socket_t given, curlsocktype purpose) {
  (void)context, (void)given, (void)purpose;
  return CURL_SOCKOPT_ALREADY_CONNECTED;
}

// A connection; over a socket that is connected already, which belongs to it then, if `known` is not NULL.
static helix_curl_stream *open_stream(const helix_curl_target *target, int *known, helix_curl_problem *problem) {
  char detail[256] = {0};
  if (!helix_curl_load()) {
    problem->code = CURLE_FAILED_INIT;
    strcpy(problem->text, "libcurl is not installed");
    return NULL;
  }
  void *handle = helix_curl_easy_init();
  helix_curl_stream *stream = calloc(1, sizeof *stream);
  int code = handle && stream ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  if (code == CURLE_OK) {
    helix_curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, detail);
    aim(handle, target, "imap,imaps,smtp,smtps,http,https");
    // An IMAP server must say that it takes the first answer with the command (RFC 4959); every SMTP server does (RFC 4954).
    if (strncmp(target->url, "smtp", 4) == 0) helix_curl_easy_setopt(handle, CURLOPT_SASL_IR, 1L);
    // A stream over HTTP begins with a request of 1.1, and a proxy has no part in it.
    helix_curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    helix_curl_easy_setopt(handle, CURLOPT_HTTPPROXYTUNNEL, 1L);
    // The end of this time ends the signing in, not only the connecting.
    helix_curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)target->connect_timeout_ms * 2);
    helix_curl_easy_setopt(handle, CURLOPT_CONNECT_ONLY, 1L);
    if (target->is_bare) {
      helix_curl_easy_setopt(handle, CURLOPT_PROXY, "");
      helix_curl_easy_setopt(handle, CURLOPT_SSL_ENABLE_ALPN, 0L);
    }
    if (known) {
      helix_curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, give);
      helix_curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, known);
      helix_curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, is_connected);
    }
    code = helix_curl_easy_perform(handle);
  }
  if (code == CURLE_OK) code = helix_curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &stream->socket);
  if (code == CURLE_OK && stream->socket < 0) code = CURLE_GOT_NOTHING;
  if (code != CURLE_OK) {
    tell(problem, code, detail);
    if (handle) helix_curl_easy_cleanup(handle);
    free(stream);
    return NULL;
  }
  // The buffer is gone when this function is.
  helix_curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, NULL);
  stream->handle = handle;
  return stream;
}

helix_curl_stream *helix_curl_open(const helix_curl_target *target, helix_curl_problem *problem) {
  return open_stream(target, NULL, problem);
}

helix_curl_stream *helix_curl_encrypt(
    helix_curl_stream *plain, const helix_curl_target *target, helix_curl_problem *problem) {
  int known = fcntl(plain->socket, F_DUPFD_CLOEXEC, 0);
  if (known < 0) {
    tell(problem, CURLE_COULDNT_CONNECT, strerror(errno));
    return NULL;
  }
  helix_curl_stream *stream = open_stream(target, &known, problem);
  // It was not taken.
  if (known >= 0) close(known);
  return stream;
}

void helix_curl_close(helix_curl_stream *stream) {
  if (!stream) return;
  helix_curl_easy_cleanup(stream->handle);
  free(stream);
}

const char *helix_curl_certificate(helix_curl_stream *stream) {
  struct curl_certinfo *found = NULL;
  if (helix_curl_easy_getinfo(stream->handle, CURLINFO_CERTINFO, &found) != CURLE_OK || !found || found->num_of_certs < 1) return NULL;
  for (struct curl_slist *line = found->certinfo[0]; line; line = line->next) {
    if (strncmp(line->data, "Cert:", 5) == 0) return line->data + 5;
  }
  return NULL;
}

int64_t helix_curl_send(helix_curl_stream *stream, const uint8_t *bytes, size_t count) {
  size_t sent = 0;
  int code = helix_curl_easy_send(stream->handle, bytes, count, &sent);
  if (code == CURLE_AGAIN) return 0;
  return code == CURLE_OK ? (int64_t)sent : -1;
}

int64_t helix_curl_receive(helix_curl_stream *stream, uint8_t *bytes, size_t room) {
  size_t received = 0;
  int code = helix_curl_easy_recv(stream->handle, bytes, room, &received);
  if (code == CURLE_AGAIN) return 0;
  if (code != CURLE_OK) return -1;
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
  int http2;
  int public_only;
  // Whether a connection was not opened because its address is not public.
  int was_private;
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
  helix_curl_easy_getinfo(client->handle, CURLINFO_RESPONSE_CODE, &status);
  // Why something was refused is read as a whole.
  if (status < 200 || status > 299) return gather(bytes, size, count, &client->body);
  return client->sink(client->sink_context, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static int ask_whether_to_go_on(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
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
  client->handle = helix_curl_easy_init();
  if (client->handle) return client;
  free(client);
  return NULL;
}

void helix_curl_http_once(helix_curl_http *client, int once) { client->once = once; }

void helix_curl_http_version_2(helix_curl_http *client, int wanted) { client->http2 = wanted; }

void helix_curl_http_public_only(helix_curl_http *client, int only) { client->public_only = only; }

// Whether an IPv4 address is reachable from anywhere (RFC 6890).
static int is_public_4(const uint8_t *a) {
  return !(a[0] == 0 || a[0] == 10 || a[0] == 127 || a[0] >= 224 || (a[0] == 100 && (a[1] & 0xC0) == 64) ||
           (a[0] == 169 && a[1] == 254) || (a[0] == 172 && (a[1] & 0xF0) == 16) || (a[0] == 192 && a[1] == 168) ||
           (a[0] == 192 && a[1] == 0 && a[2] == 0) || (a[0] == 198 && (a[1] & 0xFE) == 18));
}

static int is_public(const struct sockaddr *address) {
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  static const uint8_t translated[12] = {0, 0x64, 0xFF, 0x9B};
  if (address->sa_family == AF_INET) {
    return is_public_4((const uint8_t *)&((const struct sockaddr_in *)address)->sin_addr);
  }
  if (address->sa_family != AF_INET6) return 0;
  const uint8_t *a = ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr;
  if (memcmp(a, mapped, 12) == 0 || memcmp(a, translated, 12) == 0) return is_public_4(a + 12);
  // Global unicast, without the ranges that lead to IPv4 addresses (6to4, Teredo), and documentation.
  if ((a[0] & 0xE0) != 0x20 || (a[0] == 0x20 && a[1] == 0x02)) return 0;
  return !(a[0] == 0x20 && a[1] == 0x01 && ((a[2] == 0 && a[3] == 0) || (a[2] == 0x0D && a[3] == 0xB8)));
}

int helix_address_is_public(const char *text) {
  struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *found = NULL;
  // Forms such as 2130706433 and 0x7f.1 are numeric, too.
  if (getaddrinfo(text, NULL, &wanted, &found) != 0 || !found) return -1;
  int answer = is_public(found->ai_addr);
  freeaddrinfo(found);
  return answer;
}

static curl_socket_t open_public(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  helix_curl_http *client = context;
  if (!is_public(&address->addr)) {
    client->was_private = 1;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

void helix_curl_http_free(helix_curl_http *client) {
  if (!client) return;
  helix_curl_easy_cleanup(client->handle);
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
  helix_curl_easy_reset(handle);
  client->head.count = client->body.count = 0;
  client->head.most = 1 << 20;
  client->body.most = most;
  helix_curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, detail);
  aim(handle, target, "http,https");
  helix_curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
  // On a line that was used before, libcurl sends a request again by itself if that breaks before an answer comes.
  if (client->once) helix_curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
  if (client->http2) helix_curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  client->was_private = 0;
  if (client->public_only) {
    helix_curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_public);
    helix_curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, client);
    // A proxy would connect to any address.
    helix_curl_easy_setopt(handle, CURLOPT_PROXY, "");
  }
  helix_curl_easy_setopt(handle, CURLOPT_USERAGENT, "helix");
  helix_curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
  if (target->token) helix_curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
  else if (target->user) helix_curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
  struct curl_slist *list = NULL;
  for (; headers && *headers; headers++) list = helix_curl_slist_append(list, *headers);
  if (list) helix_curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
  if (body) {
    helix_curl_easy_setopt(handle, CURLOPT_POSTFIELDS, (const char *)body);
    helix_curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_count);
  } else {
    helix_curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
    if (strcmp(method, "HEAD") == 0) helix_curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
  }
  helix_curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
  helix_curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, gather);
  helix_curl_easy_setopt(handle, CURLOPT_WRITEDATA, &client->body);
  if (client->sink) {
    helix_curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, pass_on);
    helix_curl_easy_setopt(handle, CURLOPT_WRITEDATA, client);
    helix_curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, ask_whether_to_go_on);
    helix_curl_easy_setopt(handle, CURLOPT_XFERINFODATA, client);
    helix_curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  }
  helix_curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, gather_head);
  helix_curl_easy_setopt(handle, CURLOPT_HEADERDATA, &client->head);
  int code = helix_curl_easy_perform(handle);
  if (list) helix_curl_slist_free_all(list);
  helix_curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, NULL);
  if (code != CURLE_OK) {
    tell(problem, code == CURLE_WRITE_ERROR ? CURLE_FILESIZE_EXCEEDED : code, code == CURLE_WRITE_ERROR ? NULL : detail);
    if (client->was_private) tell(problem, CURLE_COULDNT_CONNECT, "the address is in a private network");
    return 0;
  }
  helix_curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
  answer->head = client->head.bytes;
  answer->head_count = client->head.count;
  answer->body = client->body.bytes;
  answer->body_count = client->body.count;
  return 1;
}
