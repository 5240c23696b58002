#ifndef HELIX_CPAM_H
#define HELIX_CPAM_H

#include <stddef.h>

/// The system's login by PAM (Pluggable Authentication Modules), opened at run time.

enum {
  HELIX_PAM_CONFIRMED = 1,
  HELIX_PAM_REFUSED = 0,
  HELIX_PAM_MISSING = -1,
  HELIX_PAM_FAILED = -2,
};

/// The style of a message: a question whose answer is secret, another question, a note, an error.
enum { HELIX_PAM_SECRET = 1, HELIX_PAM_QUESTION = 2, HELIX_PAM_ERROR = 3, HELIX_PAM_NOTE = 4 };

/// Shows a message, and writes the answer to a question. Returns 0 if the person gives none.
typedef int (*helix_pam_ask)(void *context, int style, const char *message, char *answer, size_t size);

/// Authenticates a user and checks that the account may be used; `reason` is PAM's own text of a failure.
/// - folder: of the configuration, for tests; NULL is the system's.
int helix_pam_authenticate(const char *service, const char *user, const char *folder, helix_pam_ask ask, void *context,
                           char *reason, size_t size);

#endif
