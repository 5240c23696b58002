#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// Everything that a signal handler needs lies in static memory: it may neither allocate nor lock.

static struct termios former_mode;
static int terminal_in = -1;
static int terminal_out = -1;
static volatile sig_atomic_t is_open = 0;
static int wake_read = -1;
static int wake_write = -1;

// Mouse, paste and synchronized output off, the cursor shown in its own shape, no style, the former screen.
static const char leaving[] =
    "\033[?2026l\033[?1006l\033[?1002l\033[?2004l\033[0m\033[0 q\033[?25h\033[?1049l";

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
static const int told[] = {SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGTSTP, SIGINT};
enum { fatal_count = sizeof fatal / sizeof *fatal, told_count = sizeof told / sizeof *told };
static struct sigaction former_fatal[fatal_count];
static struct sigaction former_told[told_count];

static void put_all(const char *text, size_t length) {
  while (length > 0) {
    ssize_t count = write(terminal_out, text, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text += count;
    length -= (size_t)count;
  }
}

static void restore(void) {
  if (!is_open) return;
  is_open = 0;
  put_all(leaving, sizeof leaving - 1);
  tcsetattr(terminal_in, TCSANOW, &former_mode);
}

static void on_fatal(int number) {
  int saved = errno;
  restore();
  for (int index = 0; index < fatal_count; index++)
    if (fatal[index] == number) sigaction(number, &former_fatal[index], NULL);
  errno = saved;
  raise(number);
}

static void on_told(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  (void)!write(wake_write, &byte, 1);
  errno = saved;
}

int helix_screen_open(int input, int output) {
  if (is_open) return wake_read;
  if (tcgetattr(input, &former_mode) != 0) return -1;
  if (wake_read < 0) {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
    wake_read = ends[0];
    wake_write = ends[1];
  }
  terminal_in = input;
  terminal_out = output;
  struct termios mode = former_mode;
  mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
  mode.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | ISTRIP);
  mode.c_oflag &= ~(tcflag_t)OPOST;
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_fatal;
  for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], &action, &former_fatal[index]);
  action.sa_handler = on_told;
  sigset_t set;
  sigemptyset(&set);
  for (int index = 0; index < told_count; index++) {
    sigaction(told[index], &action, &former_told[index]);
    sigaddset(&set, told[index]);
  }
  // The process that started this one may have blocked them.
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  is_open = 1;
  if (tcsetattr(input, TCSADRAIN, &mode) != 0) {
    helix_screen_close();
    return -1;
  }
  return wake_read;
}

void helix_screen_close(void) {
  restore();
  for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], &former_fatal[index], NULL);
  for (int index = 0; index < told_count; index++) sigaction(told[index], &former_told[index], NULL);
}

int helix_screen_signal(void) {
  unsigned char byte = 0;
  if (wake_read < 0 || read(wake_read, &byte, 1) != 1) return 0;
  return byte;
}
