#ifndef HELIX_CGMIME_H
#define HELIX_CGMIME_H

#include <stddef.h>
#include <stdint.h>

/// GMime 3, opened when the first message is parsed: it brings GLib with it, which costs 3 ms that no other command pays.
///
/// What it gives is the structure of a message and the decoded bytes of its parts. Header values come raw: GMime 3.2
/// loses words of encoded headers, so helix decodes them itself.

/// A parsed message.
typedef struct helix_mime helix_mime;

/// What a part is.
enum { HELIX_MIME_LEAF = 0, HELIX_MIME_MULTIPART = 1, HELIX_MIME_MESSAGE = 2 };

/// One part; the texts live as long as the message.
typedef struct {
  int32_t kind;
  /// How deep it lies; the whole message's own body is 0.
  int32_t depth;
  /// The part it lies in, or -1.
  int32_t parent;
  const char *type;
  const char *subtype;
  /// The raw header values, or NULL.
  const char *content_type;
  const char *disposition;
  const char *content_id;
  const char *description;
  /// The bytes as they stand in the file, still encoded; -1 if unknown.
  int64_t encoded_size;
} helix_mime_part;

/// Opens GMime. Returns 1, or 0 if it is not installed.
int helix_mime_load(void);

/// Begins to open GMime beside whatever else is done; who needs it then waits for the rest only. For the first thread of a
/// program.
void helix_mime_load_aside(void);

/// Parses bytes, which must stay as they are until the message is freed. Returns NULL if there is no message in them.
helix_mime *helix_mime_parse_bytes(const uint8_t *bytes, size_t count);

/// Parses an open file from `offset` on, reading as it goes; the descriptor is closed with the message, or at once if
/// there is none.
helix_mime *helix_mime_parse_file(int descriptor, int64_t offset);

void helix_mime_free(helix_mime *message);

/// Whether parts were left out because there are too many or they lie too deep.
int helix_mime_is_cut(const helix_mime *message);

int32_t helix_mime_part_count(const helix_mime *message);
helix_mime_part helix_mime_part_at(const helix_mime *message, int32_t part);

/// The number of headers of the message (`part` -1) or of the message that a part holds.
int32_t helix_mime_header_count(const helix_mime *message, int32_t part);
/// A header's name and raw value, which may be NULL.
void helix_mime_header(const helix_mime *message, int32_t part, int32_t index, const char **name, const char **value);

/// Gives a part's content to `sink`, its transfer encoding undone, until the sink says 0; of a message in it that is the
/// message. Returns 0 if it cannot be read.
int helix_mime_read(
    const helix_mime *message, int32_t part, void *context, int (*sink)(void *, const uint8_t *, size_t));

/// Gives a part to `sink` as it stands in the message: its headers, an empty line, its encoded content. Returns 0 if it cannot be
/// read.
int helix_mime_write(
    const helix_mime *message, int32_t part, void *context, int (*sink)(void *, const uint8_t *, size_t));

/// Gives each address of a header value that has no encoded words to `sink`: name and address, either may be NULL.
void helix_mime_addresses(
    const char *value, void *context, void (*sink)(void *, const char *name, const char *address));

/// Reads a date (RFC 5322 §3.3 and what is sent in its place): seconds since 1970 and the offset from UTC in seconds.
/// Returns 0 if it is none.
int helix_mime_date(const char *value, int64_t *seconds, int32_t *offset);

#endif
