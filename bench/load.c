/* What a crowd of agents sends to a daemon: a connection per event, a frame in, a reply out, as a client does it.
 *
 * load SOCKET SEED steady|random SECONDS AGENTS RATE FRAME...
 *   Open loop: every agent sends RATE events a second when they are due, answered or not, with equal or with random
 *   (exponential) gaps. One line per event: frame, nanoseconds from when it was due to the complete reply, from connect
 *   to the complete reply, and from when it was due to connect. A call that went wrong has "failed" instead.
 * load SOCKET SEED flood EVENTS AGENTS CONNECTIONS FRAME...
 *   As many events as the daemon can answer, CONNECTIONS at a time. Every thousand events the count; at the end how
 *   many went wrong.
 *
 * A FRAME is deny=FILE or pass=FILE, which says what the answer has to be. In it @@@@@@@@ becomes a number never used
 * before, ######## the agent's number, and the digits after deadline= a time 4 s from now. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FRAMES = 16, MOST_BYTES = 8192, MOST_CALLS = 512, MOST_AGENTS = 4096, DIGITS = 8, DEADLINE_MS = 4000 };
typedef struct { char bytes[MOST_BYTES]; size_t length; int is_deny; } Frame;
typedef struct {
  int frame;
  size_t sent, got;
  int64_t due, began;
  char bytes[MOST_BYTES], reply[MOST_BYTES + 1];
} Call;
typedef struct { int frame; int64_t from_due, from_connect, late; } Result;

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static Frame frames[MOST_FRAMES];
static int frame_count, call_count, failed, is_flood;
static Call calls[MOST_CALLS];
static struct pollfd polled[MOST_CALLS]; /* beside `calls`, by the same index */
static Result *results;
static long answered, most_results;
static unsigned seed;

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void replace_all(char *bytes, size_t length, const char *mark, size_t skip, const char *text) {
  for (char *at = bytes; (at = memmem(at, length - (size_t)(at - bytes), mark, strlen(mark)));) {
    memcpy(at + skip, text, strlen(text));
    at += strlen(mark);
  }
}

static void read_frame(const char *argument) {
  Frame *frame = &frames[frame_count++];
  if (frame_count > MOST_FRAMES || (strncmp(argument, "deny=", 5) && strncmp(argument, "pass=", 5))) fail(argument);
  frame->is_deny = *argument == 'd';
  FILE *file = fopen(argument + 5, "r");
  if (!file || !(frame->length = fread(frame->bytes, 1, MOST_BYTES, file)) || !feof(file)) fail(argument);
  fclose(file);
}

static void fill_in(Call *call, int agent) {
  static long used;
  char number[24];
  size_t length = frames[call->frame].length;
  memcpy(call->bytes, frames[call->frame].bytes, length);
  snprintf(number, sizeof number, "%0*ld", DIGITS, ++used);
  replace_all(call->bytes, length, "@@@@@@@@", 0, number);
  snprintf(number, sizeof number, "%0*d", DIGITS, agent);
  replace_all(call->bytes, length, "########", 0, number);
  snprintf(number, sizeof number, "%013lld", (long long)(now_ns(CLOCK_REALTIME) / 1000000 + DEADLINE_MS));
  replace_all(call->bytes, length, "deadline=", 9, number);
}

static void finish(int index, int is_right) {
  Call *call = &calls[index];
  int64_t now = now_ns(CLOCK_MONOTONIC);
  if (polled[index].fd >= 0) close(polled[index].fd);
  if (!is_right) failed++;
  if (!is_flood && answered < most_results) {
    int64_t from_due = is_right ? now - call->due : -1;
    results[answered] = (Result){call->frame, from_due, now - call->began, call->began - call->due};
  }
  answered++;
  if (is_flood && answered % 1000 == 0) printf("%ld\n", answered), fflush(stdout);
  if (index != --call_count) calls[index] = calls[call_count], polled[index] = polled[call_count];
}

static int is_complete(Call *call) {
  uint32_t out = 0, err = 0;
  if (call->got < 9) return 0;
  memcpy(&out, call->reply + 1, 4);
  if (out > MOST_BYTES || call->got < 9 + out) return 0;
  memcpy(&err, call->reply + 5 + out, 4);
  return call->got >= 9 + (size_t)out + err;
}

static int is_expected(Call *call) {
  int is_deny = memmem(call->reply, call->got, "\"permissionDecision\":\"deny\"", 27) != NULL;
  return call->reply[0] == 0 && is_deny == frames[call->frame].is_deny;
}

static void go_on(int index) { /* whatever the socket is ready for */
  Call *call = &calls[index];
  size_t length = frames[call->frame].length;
  if (call->sent < length && (polled[index].revents & POLLOUT)) {
    ssize_t n = write(polled[index].fd, call->bytes + call->sent, length - call->sent);
    if (n < 0 && errno != EAGAIN) return finish(index, 0);
    call->sent += n > 0 ? (size_t)n : 0;
    if (call->sent == length) polled[index].events = POLLIN;
  }
  if (!(polled[index].revents & (POLLIN | POLLHUP | POLLERR))) return;
  ssize_t n = read(polled[index].fd, call->reply + call->got, MOST_BYTES - call->got);
  if (n > 0 && (call->got += (size_t)n, is_complete(call))) finish(index, is_expected(call));
  else if (n == 0 || (n < 0 && errno != EAGAIN)) finish(index, 0);
}

static void begin(int agent, int64_t due) {
  static int next;
  if (call_count == MOST_CALLS) fail("too many calls at once");
  int index = call_count++;
  Call *call = &calls[index];
  call->frame = next++ % frame_count, call->due = due, call->sent = call->got = 0;
  fill_in(call, agent);
  call->began = now_ns(CLOCK_MONOTONIC);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  polled[index] = (struct pollfd){.fd = fd, .events = POLLIN | POLLOUT};
  fcntl(fd, F_SETFL, O_NONBLOCK);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return finish(index, 0);
  polled[index].revents = POLLOUT; /* a local socket takes a frame at once; should it not, it is asked again */
  go_on(index);
}

static void wait_until(int64_t until) {
  int64_t left = until - now_ns(CLOCK_MONOTONIC);
  if (left < 0) left = 0;
  struct timespec timeout = {left / 1000000000, left % 1000000000};
  if (ppoll(polled, (nfds_t)call_count, &timeout, NULL) <= 0) return;
  for (int i = call_count - 1; i >= 0; i--)
    if (polled[i].revents) go_on(i);
}

static int64_t gap(int is_random, double rate) {
  double share = (rand_r(&seed) + 1.0) / (RAND_MAX + 2.0);
  return (int64_t)(1e9 / rate * (is_random ? -log(share) : 1));
}

static void open_loop(int is_random, double seconds, int agents, double rate) {
  static int64_t due[MOST_AGENTS];
  int64_t start = now_ns(CLOCK_MONOTONIC) + 10000000, end = start + (int64_t)(seconds * 1e9);
  most_results = (long)(seconds * rate * agents * 4 + 1000);
  if (agents > MOST_AGENTS || !(results = calloc((size_t)most_results, sizeof *results))) fail("agents");
  for (int i = 0; i < agents; i++) due[i] = start + (int64_t)(1e9 / rate * rand_r(&seed) / RAND_MAX);
  while (1) {
    int next = 0;
    for (int i = 1; i < agents; i++)
      if (due[i] < due[next]) next = i;
    if (due[next] >= end) break;
    if (now_ns(CLOCK_MONOTONIC) < due[next]) {
      wait_until(due[next]);
      continue;
    }
    begin(next, due[next]);
    due[next] += gap(is_random, rate);
  }
  for (end += DEADLINE_MS * 1000000LL; call_count > 0 && now_ns(CLOCK_MONOTONIC) < end;) wait_until(end);
  while (call_count > 0) finish(0, 0);
  for (long i = 0; i < answered && i < most_results; i++) {
    Result *it = &results[i];
    long long due = it->from_due, connect = it->from_connect, late = it->late;
    if (due < 0) printf("%d failed\n", it->frame);
    else printf("%d %lld %lld %lld\n", it->frame, due, connect, late);
  }
}

static void flood(long events, int agents, int connections) {
  is_flood = 1;
  for (long begun = 0; answered < events;) {
    for (; call_count < connections && begun < events; begun++)
      begin((int)(begun % agents), now_ns(CLOCK_MONOTONIC));
    wait_until(now_ns(CLOCK_MONOTONIC) + 100000000);
    if (failed > 1000) fail("the daemon does not answer");
  }
  printf("failed %d\n", failed);
}

int main(int argc, char **argv) {
  enum { FIXED = 7 };
  if (argc <= FIXED || strlen(argv[1]) >= sizeof address.sun_path) return fprintf(stderr, "see load.c for usage\n"), 1;
  prctl(PR_SET_TIMERSLACK, 1); /* otherwise every event would be up to 50 microseconds late */
  strcpy(address.sun_path, argv[1]);
  seed = (unsigned)atoi(argv[2]);
  for (int i = FIXED; i < argc; i++) read_frame(argv[i]);
  if (!strcmp(argv[3], "flood")) flood(atol(argv[4]), atoi(argv[5]), atoi(argv[6]));
  else open_loop(!strcmp(argv[3], "random"), atof(argv[4]), atoi(argv[5]), atof(argv[6]));
  return 0;
}
