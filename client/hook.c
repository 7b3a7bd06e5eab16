/* hook: the program that a coding agent starts for every event. It parses none of it: standard input goes to the daemon as
 * one frame, and bytes and an exit code come back. When that fails or takes too long, hook.cjs gets the frame and decides.
 * hook.cjs is also the client of machines without a C compiler: a change of the protocol here has to be made there too. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CAP = 64 << 20, BUDGET_MS = 4000, COLD_RESERVE_MS = 300, STAMP_S = 10, LATE_MS = 60000 };
enum outcome { DONE, LATE, TOO_LARGE, TRY, ABSENT };
typedef struct { char *data; size_t len, room; } Bytes;
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "lengths are copied as they lie in memory");

extern char **environ;
static char **args; /* argv without the program's name */
static char dir[PATH_MAX], home[PATH_MAX], node[PATH_MAX], run_dir[PATH_MAX]; /* dir: where this program lies */
static struct sockaddr_un address = {.sun_family = AF_UNIX}; /* the path is empty when no daemon may be used */
static char starting[120], slow[120], queue[120]; /* marker files beside it: a daemon is starting, was too slow; the queue of cold clients */
static Bytes body, frame, reply;
static uint32_t out_len, err_len; /* of the reply */
static int64_t last; /* a client without an answer by then decides cold */

static int64_t clock_ms(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#include "turns.h"
#include "event-name.h"

/* Node cannot run, so no process can decide: a tool call is denied, every other event passes with a message on stderr.
 * Only Claude Code, whose hooks are registered without --agent, gets JSON as well: others would read it in place of the exit code. */
static _Noreturn void answer_alone(const char *what, int error) {
  char text[PATH_MAX + 300];
  int deny = is_tool_call(), json = deny && !has_arg("--agent", NULL);
  snprintf(text, sizeof text, "Hookwright could not start Node (%s: %s), so this %s. Run: hookwright doctor", what,
           strerror(error), deny ? "call was stopped for safety" : "event passed unchecked");
  for (char *c = text; *c; c++) /* a path may contain any character, and the text goes into JSON unescaped */
    if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\') *c = '?';
  if (json)
    dprintf(1, "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\","
               "\"permissionDecisionReason\":\"%s\"}}\n", text);
  dprintf(2, "%s\n", text);
  exit(deny && !(json && has_arg("--reply", "json")) ? 2 : 0);
}

static int put(int fd, const char *data, size_t len) {
  for (ssize_t n; len > 0;) {
    if ((n = write(fd, data, len)) >= 0) data += n, len -= (size_t)n;
    else if (errno == EAGAIN) poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
    else if (errno != EINTR) return -1;
  }
  return 0;
}

static int get(int fd, Bytes *to, size_t more) { /* one read onto the end; 0 when nothing more can come */
  if (to->room < to->len + more && !(to->data = realloc(to->data, to->room = 2 * (to->len + more))))
    answer_alone("memory", ENOMEM);
  ssize_t n = read(fd, to->data + to->len, to->room - to->len);
  if (n > 0) to->len += (size_t)n;
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static int ready(int fd, short events, int64_t until) {
  int64_t left = until - clock_ms(CLOCK_MONOTONIC);
  return left > 0 && poll(&(struct pollfd){.fd = fd, .events = events}, 1, (int)left) != 0;
}

static const char *text_beside(const char *name) { /* empty when there is no such file */
  char path[PATH_MAX + 20], *text = NULL;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *file = fopen(path, "re");
  return file && getdelim(&text, &(size_t){0}, 0, file) > 0 ? text : "";
}

/* An installed client uses the home that it is installed in, whatever the environment says. */
static void find_places(void) {
#ifdef __APPLE__
  extern int _NSGetExecutablePath(char *, uint32_t *);
  if (_NSGetExecutablePath(node, &(uint32_t){PATH_MAX}) || !realpath(node, dir)) answer_alone("own path", ENOENT);
#else
  if (readlink("/proc/self/exe", dir, sizeof dir - 1) <= 0) answer_alone("/proc/self/exe", errno);
#endif
  *strrchr(dir, '/') = 0;
  char *last = strrchr(dir, '/'), *named = getenv("HOOKWRIGHT_HOME"), *user = getenv("HOME"), id[PATH_MAX + 100];
  if (last && last - dir > 9 && !memcmp(last - 9, "/versions", 9)) memcpy(home, dir, (size_t)(last - 9 - dir));
  else if (named && *named == '/') snprintf(home, sizeof home, "%s", named);
  else if (user && *user == '/') snprintf(home, sizeof home, "%s/.local/share/hookwright", user);
  else return; /* hook.cjs asks the system for the home directory */
  for (size_t end = strlen(home); end > 1 && home[end - 1] == '/';) home[--end] = 0;
  char *real = realpath(home, NULL); /* the home without links, so that it has one spelling */
  if (real) snprintf(home, sizeof home, "%s", real);
  unsigned long long hash = 0xcbf29ce484222325; /* FNV-1a: other builds and homes get other sockets */
  snprintf(id, sizeof id, "%s\n%s", HW_BUILD, home);
  for (char *c = id; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
  char *base = getenv("XDG_RUNTIME_DIR"), *path = address.sun_path;
  snprintf(run_dir, sizeof run_dir, "%s/hookwright-%u", base && *base == '/' ? base : "/tmp", (unsigned)getuid());
  int len = snprintf(path, sizeof address.sun_path, "%s/%012llx.sock", run_dir, hash & 0xffffffffffff);
  snprintf(starting, sizeof starting, "%.*s.starting", len - 5, path);
  snprintf(slow, sizeof slow, "%.*s.slow", len - 5, path);
  snprintf(queue, sizeof queue, "%.*s.turns.lock", len - 5, path);
  if (len >= (int)sizeof address.sun_path) *path = 0;
}

static int is_recent(const char *stamp) { /* a time in the future is not recent */
  struct stat st;
  int64_t age = lstat(stamp, &st) == 0 ? clock_ms(CLOCK_REALTIME) / 1000 - st.st_mtime : STAMP_S;
  return age > -2 && age < STAMP_S;
}

/* TRY: private and ours. ABSENT: missing. LATE: of another user, or open to others, so it is not used. */
static enum outcome check_run_dir(void) {
  struct stat st;
  if (lstat(run_dir, &st) != 0) return errno == ENOENT ? ABSENT : LATE;
  return S_ISDIR(st.st_mode) && st.st_uid == getuid() && !(st.st_mode & 077) ? TRY : LATE;
}

static int listed(const char *var, const char *list) { /* by lines NAME, PREFIX*, !NAME; an exclusion wins */
  size_t name = strcspn(var, "="), len;
  int chosen = 0;
  for (const char *line = list; *line; line += len + strspn(line + len, "\r\n")) {
    len = strcspn(line, "\r\n");
    int not = *line == '!', prefix = len > 0 && line[len - 1] == '*';
    size_t n = len - (size_t)(not + prefix);
    if (len == 0 || *line == '#' || (prefix ? name < n : name != n) || memcmp(var, line + not, n)) continue;
    if (not) return 0;
    chosen = 1;
  }
  return chosen && name > 0 && var[name];
}

static void make_frame(int64_t deadline, enum outcome cut) {
  uint32_t r[4], len = cut == TOO_LARGE ? 0 : (uint32_t)body.len;
  char cwd[PATH_MAX];
  const char *list = text_beside("env.list");
  FILE *to = open_memstream(&frame.data, &frame.len);
  if (!to || getentropy(r, sizeof r) != 0) answer_alone("preparing the event", errno);
  fprintf(to, "HW01....nonce=%08x%08x%08x%08x%cbuild=%s%chome=%s%c", r[0], r[1], r[2], r[3], 0, HW_BUILD, 0, home, 0);
  if (!getcwd(cwd, sizeof cwd)) *cwd = 0;
  fprintf(to, "deadline=%lld%ccwd=%s%cppid=%d%cwaits=1%c", (long long)deadline, 0, cwd, 0, (int)getppid(), 0, 0);
  if (cut != DONE) fprintf(to, "cut=%s%c", cut == LATE ? "timeout" : "too-large", 0);
  for (char **a = args; *a; a++) fprintf(to, "arg=%s%c", *a, 0);
  for (char **e = environ; *e; e++)
    if (listed(*e, list)) fprintf(to, "env.%s%c", *e, 0);
  fwrite(&len, 4, 1, to);
  if (fwrite(body.data, 1, len, to) != len || fclose(to) != 0) answer_alone("memory", ENOMEM);
  memcpy(frame.data + 4, &(uint32_t){(uint32_t)frame.len - 12 - len}, 4);
}

static size_t reply_length(void) { /* as far as can be told yet; 0 for nonsense */
  out_len = err_len = 0;
  if (reply.len < 5) return 5;
  memcpy(&out_len, reply.data + 1, 4);
  if (out_len <= CAP && reply.len >= 9 + out_len) memcpy(&err_len, reply.data + 5 + out_len, 4);
  return out_len > CAP || err_len > CAP ? 0 : 9 + (size_t)out_len + err_len;
}

#include "person.h"

static enum outcome exchange_on(int fd, int64_t until) {
  size_t sent = 0, want;
  fcntl(fd, F_SETFL, O_NONBLOCK), fcntl(fd, F_SETFD, FD_CLOEXEC);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) /* EAGAIN: the queue of a daemon that is stuck */
    return errno == ENOENT || errno == ECONNREFUSED ? ABSENT : LATE;
  for (reply.len = 0; (want = reply_length()) > reply.len;) {
    ssize_t n = sent < frame.len ? write(fd, frame.data + sent, frame.len - sent) : 0;
    if (n >= 0) sent += (size_t)n;
    else if (errno != EAGAIN && errno != EINTR) sent = frame.len; /* it stopped listening: has it answered? */
    while (!ready(fd, sent < frame.len ? POLLIN | POLLOUT : POLLIN, turns < 0 || until < soon() ? until : soon())) {
      if (is_lively() && clock_ms(CLOCK_MONOTONIC) < last) until = soon();
      else if (clock_ms(CLOCK_MONOTONIC) >= until) return close(creat(slow, 0600)), LATE;
      else if (take_turn()) return LATE;
    }
    if (!get(fd, &reply, want - reply.len + 4096)) return TRY;
  }
  return want ? await_person(fd, want) : TRY;
}

static enum outcome exchange(int64_t until) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), got = exchange_on(fd, until);
  return close(fd), (enum outcome)got;
}

static void run_node(char *option, char *script, char *arg) { /* returns only when that failed; `node` is the culprit */
  char path[PATH_MAX + 20], *all[] = {node, option ? option : node, path, arg, NULL}, **argv = option ? all : all + 1;
  snprintf(path, sizeof path, "%s/%s", dir, script);
  if (access(path, R_OK) != 0) memcpy(node, path, sizeof node - 1);
  else (strchr(node, '/') ? execv : execvp)(node, argv); /* execvp would hand a damaged binary to the shell */
}

#include "cold.h"

int main(int argc, char **argv) {
  int64_t t0 = clock_ms(CLOCK_MONOTONIC), epoch = clock_ms(CLOCK_REALTIME), budget = BUDGET_MS;
  enum outcome cut, got = LATE;
  args = argv + (argc > 0);
  for (int fd = 0; fd >= 0 && fd < 3;) fd = open("/dev/null", O_RDWR | O_CLOEXEC); /* lest our socket becomes stdout */
  signal(SIGPIPE, SIG_IGN);
  for (char **a = args; *a && a[1]; a++) {
    long ms = strcmp(*a, "--deadline-ms") || a[1][strspn(a[1], "0123456789")] ? 0 : strtol(a[1], NULL, 10);
    if (ms >= 10 && ms <= 600000) budget = ms;
  }
  int late = argc > 1 && !strcmp(argv[1], "--late"); /* standard input is a frame already, and no agent waits */
  if (late) budget = LATE_MS;
  last = t0 + budget * 7 / 8 - COLD_RESERVE_MS;
  do cut = body.len > CAP ? TOO_LARGE : ready(0, POLLIN, t0 + budget * 3 / 4) ? DONE : LATE; /* may never close */
  while (cut == DONE && get(0, &body, 32768));
  find_places();
  late ? (void)(frame = body) : make_frame(epoch + budget, cut);
  int64_t now = clock_ms(CLOCK_MONOTONIC), until = now + budget / 4;
  int may_ask = *address.sun_path && !has_arg("--no-daemon", NULL);
  if (may_ask && now < last && (!is_recent(slow) || is_lively())) got = check_run_dir();
  for (int attempt = 0; attempt < 2 && got == TRY; attempt++) got = exchange(until < last ? until : last);
  if (got != DONE && sscanf(text_beside("node.path"), "%1023[^\r\n]", node) != 1) strcpy(node, "node");
  if (got == ABSENT && !late) start_daemon();
  if (got != DONE && *address.sun_path) got = await_turn(may_ask);
  if (got == DONE) { /* where a stream cannot be written, the exit code still counts */
    put(1, reply.data + 5, out_len);
    put(2, reply.data + 9 + out_len, err_len);
    return (unsigned char)*reply.data;
  }
  char name[] = "/tmp/hookwright.XXXXXX";
  int fd = -1;
#ifdef MFD_CLOEXEC
  fd = memfd_create("hookwright", MFD_CLOEXEC);
#endif
  if (fd < 0 && (fd = mkstemp(name)) >= 0) unlink(name);
  if (fd < 0 || put(fd, frame.data, frame.len) != 0 || lseek(fd, 0, SEEK_SET) != 0 || dup2(fd, 0) < 0)
    answer_alone("passing the event on", errno);
  unsetenv("NODE_OPTIONS"), unsetenv("NODE_EXTRA_CA_CERTS");
  run_node(NULL, "hook.cjs", "--cold-frame");
  answer_alone(node, errno);
}
