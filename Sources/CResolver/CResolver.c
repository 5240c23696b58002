#define _DEFAULT_SOURCE
#include "CResolver.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

static uint16_t number(const unsigned char *place) { return (uint16_t)(place[0] << 8 | place[1]); }

int helix_records(const char *name, int type, helix_record *records, int limit, const char *server, uint16_t port) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return -1;
  state.retrans = 2;
  state.retry = 2;
  // Only the name itself is asked for, and never one below the machine's own domain.
  state.options &= ~(unsigned long)(RES_DNSRCH | RES_DEFNAMES);
  if (server) {
    state.nscount = 1;
    memset(&state.nsaddr_list[0], 0, sizeof state.nsaddr_list[0]);
    state.nsaddr_list[0].sin_family = AF_INET;
    state.nsaddr_list[0].sin_port = htons(port);
    if (inet_pton(AF_INET, server, &state.nsaddr_list[0].sin_addr) != 1) return res_nclose(&state), -1;
  }
  unsigned char answer[16384];
  int length = res_nquery(&state, name, ns_c_in, type, answer, sizeof answer);
  int problem = state.res_h_errno;
  res_nclose(&state);
  if (length < 0) return problem == HOST_NOT_FOUND || problem == NO_DATA ? 0 : -1;
  if (length > (int)sizeof answer) length = sizeof answer;
  if (length < NS_HFIXEDSZ) return -1;
  const unsigned char *end = answer + length, *place = answer + NS_HFIXEDSZ;
  char host[NS_MAXDNAME];
  for (int count = number(answer + 4); count > 0; count--) {
    int size = dn_expand(answer, end, place, host, sizeof host);
    if (size < 0 || place + size + NS_QFIXEDSZ > end) return -1;
    place += size + NS_QFIXEDSZ;
  }
  int found = 0;
  for (int count = number(answer + 6); count > 0 && found < limit; count--) {
    int size = dn_expand(answer, end, place, host, sizeof host);
    if (size < 0 || place + size + NS_RRFIXEDSZ > end) break;
    place += size;
    int kind = number(place), bytes = number(place + 8);
    place += NS_RRFIXEDSZ;
    if (place + bytes > end) break;
    const unsigned char *data = place;
    place += bytes;
    if (kind != type) continue;
    helix_record record;
    memset(&record, 0, sizeof record);
    int fixed = type == ns_t_srv ? 6 : type == ns_t_mx ? 2 : 0;
    if (bytes <= fixed) continue;
    if (type == ns_t_txt) {
      int text = data[0];
      if (text > bytes - 1) continue;
      if (text > (int)sizeof record.text - 1) text = sizeof record.text - 1;
      memcpy(record.text, data + 1, (size_t)text);
    } else {
      record.priority = number(data);
      if (type == ns_t_srv) {
        record.weight = number(data + 2);
        record.port = number(data + 4);
      }
      if (dn_expand(answer, end, data + fixed, host, sizeof host) < 0) continue;
      if (strlen(host) >= sizeof record.text) continue;
      strcpy(record.text, host);
    }
    records[found++] = record;
  }
  return found;
}
