#ifndef HELIX_CLOOPBACK_H
#define HELIX_CLOOPBACK_H

#include <stddef.h>
#include <stdint.h>

/// A listener on 127.0.0.1, for answers that a browser on this machine brings (RFC 8252 §7.3).

/// Listens on a port that is free. Returns the descriptor and sets `port`, or returns -1.
int helix_loopback_listen(uint16_t *port);

/// Waits for a connection and reads the head of its request.
///
/// Returns the descriptor of the connection; -1 after that many milliseconds; -2 for an error. The head is in `bytes`, with 0
/// at its end; it is empty for a connection that sent none in time.
int helix_loopback_accept(int listener, int milliseconds, char *bytes, size_t room);

/// Sends an answer whole and ends the connection.
void helix_loopback_answer(int connection, const char *bytes, size_t count);

/// A descriptor that can be read when an address or a link of this machine comes or goes (rtnetlink); -1 where nobody tells.
int helix_network_changes(void);

#endif
