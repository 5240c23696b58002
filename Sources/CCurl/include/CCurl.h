#ifndef HELIX_CCURL_H
#define HELIX_CCURL_H

#include <stddef.h>
#include <stdint.h>

/// libcurl, opened when the first connection is made: it brings thirty libraries with it, which no other command pays for.
///
/// It resolves names, goes through proxies, checks certificates and signs in; then it hands over the stream, or speaks
/// HTTP. All calls of one handle belong to one thread at a time.

/// Opens libcurl. Returns 1, or 0 if it is not installed.
int helix_curl_load(void);

/// How to reach a server. Texts may be NULL.
typedef struct {
  /// `imaps://host:port`, `smtp://host:port`, `https://host/path`.
  const char *url;
  const char *user;
  const char *password;
  /// A token of OAuth 2, in the place of a password.
  const char *token;
  /// `AUTH=PLAIN`: what way to sign in, if not the best that both know.
  const char *login_options;
  /// A file of certificates to trust, in the place of the system's.
  const char *authorities;
  /// Whether a connection that begins in the clear must be encrypted before anything is said.
  int must_upgrade;
  /// Whether any certificate will do, because whoever called looks at it before anything is said.
  int trusts_any;
  /// Whether the protocol is not one of libcurl's: the stream is made like one over HTTP, without its proxies.
  int is_bare;
  int connect_timeout_ms;
} helix_curl_target;

/// What went wrong; the numbers are libcurl's own, 0 for nothing.
typedef struct {
  int code;
  char text[256];
} helix_curl_problem;

/// An open connection whose other side has let us in.
typedef struct helix_curl_stream helix_curl_stream;

/// Connects and signs in. Returns NULL and the problem.
helix_curl_stream *helix_curl_open(const helix_curl_target *target, helix_curl_problem *problem);
/// Encrypts a connection that began in the clear, as the other side has agreed to. Returns the encrypted one, which is in the
/// place of the plain one, or NULL and the problem. Both are to be closed.
helix_curl_stream *helix_curl_encrypt(
    helix_curl_stream *plain, const helix_curl_target *target, helix_curl_problem *problem);
void helix_curl_close(helix_curl_stream *stream);

/// The certificate of the other side as PEM; NULL if nothing is encrypted, or it was not asked to trust any.
const char *helix_curl_certificate(helix_curl_stream *stream);

/// Sends as much as goes at once. Returns how many bytes, 0 if none just now, -1 for an error.
int64_t helix_curl_send(helix_curl_stream *stream, const uint8_t *bytes, size_t count);
/// Receives what is there. Returns how many bytes, 0 if none just now, -1 for an error, -2 for the end.
int64_t helix_curl_receive(helix_curl_stream *stream, uint8_t *bytes, size_t room);
/// Waits until the stream can be read (`writes` 0) or written, or until `descriptor` can be read (-1 for none). Returns 1 if
/// so, 2 if it is `descriptor`, 0 after that many milliseconds, -1 for an error.
int helix_curl_wait(helix_curl_stream *stream, int writes, int descriptor, int milliseconds);

/// A client of HTTP, which keeps its connection between requests.
typedef struct helix_curl_http helix_curl_http;

typedef struct {
  long status;
  /// The head of the last answer, lines with CRLF.
  const uint8_t *head;
  size_t head_count;
  const uint8_t *body;
  size_t body_count;
} helix_curl_answer;

helix_curl_http *helix_curl_http_new(void);
void helix_curl_http_free(helix_curl_http *client);
/// Takes bytes of a body as they come, or NULL about once a second while nothing does. Returns 0 to break off.
typedef int (*helix_curl_sink)(void *context, const uint8_t *bytes, size_t count);
/// Gives the bodies of good answers (2xx) to a function from now on, instead of keeping them; NULL keeps them again.
void helix_curl_http_stream(helix_curl_http *client, helix_curl_sink sink, void *context);
/// Whether requests from now on are sent once at most: each has a line of its own.
void helix_curl_http_once(helix_curl_http *client, int once);
/// Whether requests from now on use HTTP/2 where a server speaks it over TLS.
void helix_curl_http_version_2(helix_curl_http *client, int wanted);
/// Whether connections from now on may only go to public addresses: none of this machine, nor of private networks.
void helix_curl_http_public_only(helix_curl_http *client, int only);
/// Whether a numeric address is public: 1 or 0; -1 if the text is a name.
int helix_address_is_public(const char *text);
/// Sends a request and reads the answer, which stays until the next one. Redirections are not followed.
/// Returns 1, or 0 and the problem.
int helix_curl_http_request(
    helix_curl_http *client, const helix_curl_target *target, const char *method, const char *const *headers,
    const uint8_t *body, size_t body_count, size_t most, int timeout_ms, helix_curl_answer *answer,
    helix_curl_problem *problem);

#endif
