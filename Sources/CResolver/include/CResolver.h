#ifndef HELIX_CRESOLVER_H
#define HELIX_CRESOLVER_H

#include <stdint.h>

/// A record of the domain name system: of a service (RFC 2782), a mail exchanger, or a text.
typedef struct {
  uint16_t priority, weight, port;
  /// The host, or the text.
  char text[256];
} helix_record;

/// Asks for the records of a type (33 SRV, 15 MX, 16 TXT) that a name has.
///
/// `server` is the address of a name server to ask instead of the system's, with `port`; NULL for the system's.
/// Returns how many there are, up to `limit`; 0 for none; -1 if nobody answers.
int helix_records(const char *name, int type, helix_record *records, int limit, const char *server, uint16_t port);

#endif
