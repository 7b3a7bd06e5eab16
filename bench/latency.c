/* latency: prints how many nanoseconds one look at memory takes that no cache holds. It follows a chain through 64 MB
 * whose every link lies elsewhere, so that no look can begin before the last one is over. What other programs, or other
 * guests of the same host, do to caches and memory shows here, and in every event that comes after a pause. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINE = 64, LINES = (64 << 20) / LINE, LOOKS = 500000 };
typedef struct { unsigned next; char rest[LINE - sizeof(unsigned)]; } Line;

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(void) {
  Line *lines = aligned_alloc(4096, sizeof(Line) * LINES);
  if (!lines) return 1;
  for (unsigned i = 0; i < LINES; i++) lines[i].next = i;
  srandom(1);
  /* Every swap with an earlier one: in the end there is one chain, through all of them. */
  for (unsigned i = LINES - 1; i > 0; i--) {
    unsigned other = random() % i, kept = lines[i].next;
    lines[i].next = lines[other].next;
    lines[other].next = kept;
  }
  unsigned at = 0;
  double started = nanoseconds();
  for (int look = 0; look < LOOKS; look++) at = lines[at].next;
  double took = nanoseconds() - started;
  /* The place is printed so that nothing can be left out by the compiler. */
  printf("%.1f %u\n", took / LOOKS, at);
  return 0;
}
