#define _GNU_SOURCE
#include "CLoopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

int helix_loopback_listen(uint16_t *port) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof place;
  if (bind(listener, (struct sockaddr *)&place, size) != 0 || listen(listener, 8) != 0 ||
      getsockname(listener, (struct sockaddr *)&place, &size) != 0) {
    close(listener);
    return -1;
  }
  *port = ntohs(place.sin_port);
  return listener;
}

// Waits until the descriptor can be read: 1, 0 after the time, -1 for an error.
static int wait_for(int descriptor, int milliseconds) {
  struct pollfd place = {descriptor, POLLIN, 0};
  int code = poll(&place, 1, milliseconds);
  return code < 0 && errno == EINTR ? 0 : code;
}

int helix_loopback_accept(int listener, int milliseconds, char *bytes, size_t room) {
  bytes[0] = 0;
  int code = wait_for(listener, milliseconds);
  if (code <= 0) return code == 0 ? -1 : -2;
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (connection < 0) return errno == EAGAIN || errno == ECONNABORTED || errno == EINTR ? -1 : -2;
  size_t count = 0;
  // Browsers open connections that they do not use.
  while (count + 1 < room && wait_for(connection, 2000) > 0) {
    ssize_t got = recv(connection, bytes + count, room - count - 1, 0);
    if (got <= 0) break;
    count += (size_t)got;
    bytes[count] = 0;
    if (strstr(bytes, "\r\n\r\n")) return connection;
  }
  bytes[0] = 0;
  return connection;
}

void helix_loopback_answer(int connection, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(connection, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) break;
    bytes += sent;
    count -= (size_t)sent;
  }
  close(connection);
}

int helix_network_changes(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}
