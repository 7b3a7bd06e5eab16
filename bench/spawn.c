/* spawn ROWS WARM_UP ROUNDS SEED: starts each row of ROWS once per round, every round in a new random order, and prints
 * one line per start after the warm-up: row, nanoseconds from the first posix_spawn to the end of the last waitpid, the
 * highest exit code, and whether a deny was printed. Nothing is subtracted.
 * A line of ROWS is `event file or -`, a tab, and the arguments separated by tabs. Programs that an agent starts side
 * by side for one event stand in one line with an argument `&&` between them. The event arrives through a pipe, as
 * agents send it. Its runs of eight @ become a number never used before, so that no stored ruling is returned. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROWS = 32, MOST_ARGS = 32, MOST_PROGRAMS = 8, MOST_BYTES = 32768, DIGITS = 8, MOST_NUMBERS = 4 };
typedef struct { char *argv[MOST_ARGS + 1]; int in[2], out[2], err[2]; pid_t pid; } Program;
typedef struct { Program programs[MOST_PROGRAMS]; int count; char *event, *numbers[MOST_NUMBERS]; } Row;

extern char **environ;
static Row rows[MOST_ROWS];
static char output[MOST_BYTES + 1];

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(1);
}

static void read_event(Row *row, const char *path) {
  FILE *file = fopen(path, "r");
  char *at = row->event = calloc(1, MOST_BYTES + 1);
  if (!at || !file || fread(at, 1, MOST_BYTES, file) == 0) fail(path);
  fclose(file);
  for (int i = 0; i < MOST_NUMBERS && (at = strstr(at, "@@@@@@@@")); at += DIGITS) row->numbers[i++] = at;
}

static void read_programs(Row *row, char *line) {
  int argc = 0;
  for (row->count = 1; line;) {
    char *field = strsep(&line, "\t");
    if (!strcmp(field, "&&")) row->count++, argc = 0;
    else row->programs[row->count - 1].argv[argc++] = field;
    if (row->count > MOST_PROGRAMS || argc >= MOST_ARGS) fail("a row is too long");
  }
}

static int read_rows(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  int count = 0;
  if (!file) fail(path);
  for (; count < MOST_ROWS && getline(&line, &(size_t){0}, file) > 0; count++, line = NULL) {
    line[strcspn(line, "\n")] = 0;
    char *event = strsep(&line, "\t");
    if (!line) fail("a row names no program");
    rows[count].event = "";
    if (strcmp(event, "-")) read_event(&rows[count], event);
    read_programs(&rows[count], line);
  }
  return count;
}

static void number_event(Row *row) {
  static unsigned used;
  char digits[16];
  snprintf(digits, sizeof digits, "%0*u", DIGITS, ++used);
  for (int i = 0; i < MOST_NUMBERS && row->numbers[i]; i++) memcpy(row->numbers[i], digits, DIGITS);
}

static long long nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void prepare(Program *program, const char *event, posix_spawn_file_actions_t *actions) {
  int *in = program->in, *out = program->out, *err = program->err;
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) fail("pipe");
  size_t length = strlen(event);
  if (write(in[1], event, length) != (ssize_t)length) fail("event");
  close(in[1]);
  posix_spawn_file_actions_init(actions);
  posix_spawn_file_actions_adddup2(actions, in[0], 0);
  posix_spawn_file_actions_adddup2(actions, out[1], 1);
  posix_spawn_file_actions_adddup2(actions, err[1], 2);
}

static int has_denied(Program *program) {
  close(program->in[0]), close(program->out[1]), close(program->err[1]);
  ssize_t got = read(program->out[0], output, MOST_BYTES);
  output[got > 0 ? got : 0] = 0;
  close(program->out[0]), close(program->err[0]);
  return strstr(output, "\"permissionDecision\":\"deny\"") != NULL;
}

static void start(int number, int is_measured) {
  Row *row = &rows[number];
  posix_spawn_file_actions_t actions[MOST_PROGRAMS];
  int status, worst = 0, is_deny = 0;
  number_event(row);
  for (int i = 0; i < row->count; i++) prepare(&row->programs[i], row->event, &actions[i]);
  long long before = nanoseconds();
  for (int i = 0; i < row->count; i++) {
    Program *it = &row->programs[i];
    if (posix_spawn(&it->pid, it->argv[0], &actions[i], NULL, it->argv, environ) != 0) fail(it->argv[0]);
  }
  for (int i = 0; i < row->count; i++) {
    if (waitpid(row->programs[i].pid, &status, 0) != row->programs[i].pid) fail("waitpid");
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
    if (code > worst) worst = code;
  }
  long long took = nanoseconds() - before;
  for (int i = 0; i < row->count; i++) {
    posix_spawn_file_actions_destroy(&actions[i]);
    is_deny |= has_denied(&row->programs[i]);
  }
  if (!is_measured) return;
  printf("%d %lld %d %d\n", number, took, worst, is_deny);
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
