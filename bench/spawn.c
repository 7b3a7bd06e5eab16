/* spawn ROWS WARM_UP ROUNDS SEED: starts each program of ROWS once per round, every round in a new random order, and
 * prints one line per start after the warm-up: row, nanoseconds from posix_spawn to the end of waitpid, exit code, and
 * whether a deny was printed. Nothing is subtracted.
 * A line of ROWS is `event file or -`, a tab, and the arguments separated by tabs. The event arrives through a pipe, as
 * agents send it. Its first run of eight @ becomes a number never used before, so that no stored ruling is returned. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROWS = 32, MOST_ARGS = 32, MOST_BYTES = 32768, DIGITS = 8 };
typedef struct { char *argv[MOST_ARGS + 1]; char *event, *number; } Row;

extern char **environ;
static Row rows[MOST_ROWS];
static char output[MOST_BYTES + 1];

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(1);
}

static char *read_event(const char *path) {
  char *text = calloc(1, MOST_BYTES + 1);
  FILE *file = fopen(path, "r");
  if (!text || !file || fread(text, 1, MOST_BYTES, file) == 0) fail(path);
  fclose(file);
  return text;
}

static int read_rows(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  int count = 0;
  if (!file) fail(path);
  for (; count < MOST_ROWS && getline(&line, &(size_t){0}, file) > 0; count++, line = NULL) {
    Row *row = &rows[count];
    line[strcspn(line, "\n")] = 0;
    char *event = strsep(&line, "\t");
    for (int i = 0; i < MOST_ARGS && line; i++) row->argv[i] = strsep(&line, "\t");
    if (!row->argv[0]) fail("a row names no program");
    row->event = strcmp(event, "-") ? read_event(event) : "";
    row->number = strstr(row->event, "@@@@@@@@");
  }
  return count;
}

static void number_event(Row *row) {
  static int used;
  char digits[DIGITS + 1];
  snprintf(digits, sizeof digits, "%0*d", DIGITS, ++used);
  if (row->number) memcpy(row->number, digits, DIGITS);
}

static long long nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void start(int number, int is_measured) {
  Row *row = &rows[number];
  int in[2], out[2], err[2], status;
  posix_spawn_file_actions_t actions;
  pid_t pid;
  number_event(row);
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) fail("pipe");
  size_t length = strlen(row->event);
  if (write(in[1], row->event, length) != (ssize_t)length) fail("event");
  close(in[1]);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  long long before = nanoseconds();
  if (posix_spawn(&pid, row->argv[0], &actions, NULL, row->argv, environ) != 0) fail(row->argv[0]);
  if (waitpid(pid, &status, 0) != pid) fail("waitpid");
  long long took = nanoseconds() - before;
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]), close(out[1]), close(err[1]);
  ssize_t got = read(out[0], output, MOST_BYTES);
  output[got > 0 ? got : 0] = 0;
  int is_deny = strstr(output, "\"permissionDecision\":\"deny\"") != NULL;
  close(out[0]), close(err[0]);
  if (!is_measured) return;
  printf("%d %lld %d %d\n", number, took, WIFEXITED(status) ? WEXITSTATUS(status) : 255, is_deny);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 5) return fprintf(stderr, "usage: spawn ROWS WARM_UP ROUNDS SEED\n"), 1;
  int count = read_rows(argv[1]), warm_up = atoi(argv[2]), rounds = warm_up + atoi(argv[3]), order[MOST_ROWS];
  unsigned seed = (unsigned)atoi(argv[4]);
  for (int i = 0; i < count; i++) order[i] = i;
  for (int round = 0; round < rounds; round++) {
    for (int i = count - 1; i > 0; i--) {
      int other = (int)((unsigned)rand_r(&seed) % (unsigned)(i + 1)), kept = order[i];
      order[i] = order[other], order[other] = kept;
    }
    for (int i = 0; i < count; i++) start(order[i], round >= warm_up);
  }
  return 0;
}
