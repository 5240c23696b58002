#include "CPAM.h"

#include <dlfcn.h>
#include <pthread.h>
#include <security/pam_appl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(HELIX_PAM_SECRET == PAM_PROMPT_ECHO_OFF && HELIX_PAM_QUESTION == PAM_PROMPT_ECHO_ON &&
                   HELIX_PAM_ERROR == PAM_ERROR_MSG && HELIX_PAM_NOTE == PAM_TEXT_INFO,
               "the styles of messages differ");

static __typeof__(pam_start) *start;
static __typeof__(pam_start_confdir) *start_in;
static __typeof__(pam_end) *end;
static __typeof__(pam_authenticate) *authenticate;
static __typeof__(pam_acct_mgmt) *check_account;
static __typeof__(pam_strerror) *reason_of;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_ready = 0;

static void load(void) {
  // Its modules need its functions.
  void *library = dlopen("libpam.so.0", RTLD_LAZY | RTLD_GLOBAL);
  if (!library) return;
  start = dlsym(library, "pam_start");
  start_in = dlsym(library, "pam_start_confdir");
  end = dlsym(library, "pam_end");
  authenticate = dlsym(library, "pam_authenticate");
  check_account = dlsym(library, "pam_acct_mgmt");
  reason_of = dlsym(library, "pam_strerror");
  is_ready = start && end && authenticate && check_account && reason_of;
}

typedef struct {
  helix_pam_ask ask;
  void *context;
} asker;

static void forget(struct pam_response *answers, int count) {
  for (int place = 0; place < count; place++) {
    if (!answers[place].resp) continue;
    explicit_bzero(answers[place].resp, strlen(answers[place].resp));
    free(answers[place].resp);
  }
  free(answers);
}

static int converse(int count, const struct pam_message **messages, struct pam_response **found, void *data) {
  asker *given = data;
  if (count <= 0 || count > PAM_MAX_NUM_MSG) return PAM_CONV_ERR;
  struct pam_response *answers = calloc((size_t)count, sizeof *answers);
  if (!answers) return PAM_BUF_ERR;
  for (int place = 0; place < count; place++) {
    char text[PAM_MAX_RESP_SIZE] = "";
    int style = messages[place]->msg_style;
    int is_answered = given->ask(given->context, style, messages[place]->msg, text, sizeof text);
    if (style == PAM_PROMPT_ECHO_OFF || style == PAM_PROMPT_ECHO_ON) {
      answers[place].resp = is_answered ? strdup(text) : NULL;
      explicit_bzero(text, sizeof text);
      if (!answers[place].resp) {
        forget(answers, count);
        return PAM_CONV_ERR;
      }
    }
  }
  *found = answers;
  return PAM_SUCCESS;
}

int helix_pam_authenticate(const char *service, const char *user, const char *folder, helix_pam_ask ask, void *context,
                           char *reason, size_t size) {
  pthread_once(&once, load);
  if (!is_ready || (folder && !start_in)) return HELIX_PAM_MISSING;
  asker given = {ask, context};
  struct pam_conv conversation = {converse, &given};
  pam_handle_t *handle = NULL;
  int code = folder ? start_in(service, user, &conversation, folder, &handle)
                    : start(service, user, &conversation, &handle);
  if (code == PAM_SUCCESS) code = authenticate(handle, 0);
  if (code == PAM_SUCCESS) code = check_account(handle, 0);
  snprintf(reason, size, "%s", reason_of(handle, code));
  if (handle) end(handle, code);
  switch (code) {
    case PAM_SUCCESS:
      return HELIX_PAM_CONFIRMED;
    // They are answers of a person or about one; all others say that nothing was asked.
    case PAM_AUTH_ERR:
    case PAM_MAXTRIES:
    case PAM_USER_UNKNOWN:
    case PAM_CRED_INSUFFICIENT:
    case PAM_ACCT_EXPIRED:
    case PAM_NEW_AUTHTOK_REQD:
    case PAM_PERM_DENIED:
    case PAM_CONV_ERR:
      return HELIX_PAM_REFUSED;
    default:
      return HELIX_PAM_FAILED;
  }
}
