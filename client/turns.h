/* A part of hook.c: how a crowd of clients waits, each for the daemon or for its turn to decide by itself. */

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif
enum { LIVELY_MS = 1000 };
static int turns = -1; /* the file of those who wait for their turn, once this process is one of them */

static int64_t soon(void) { /* when somebody who waits looks again, not all at the same moment */
  return clock_ms(CLOCK_MONOTONIC) + 10 + getpid() % 10;
}

/* A daemon that answers others, and says so by its socket's time, is no stuck one. To wait for it costs less than to
 * decide without it, and more programs would only make it slower. */
static int is_lively(void) {
  struct stat st;
  int64_t now = clock_ms(CLOCK_REALTIME);
  if (lstat(address.sun_path, &st) != 0) return 0;
  int64_t age = now - ((int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000);
  return age > -LIVELY_MS && age < LIVELY_MS;
}

/* A crowd that has to decide by itself: as many at a time as the machine has processors, and at least two; the others
 * wait for their turn. All at once they would only keep each other from running, and among them whoever has the
 * database's lock. A turn is a lock on one byte of a file. It belongs to the process, so Node has it until it ends,
 * however it ends. */
static int take_turn(void) {
  long most = sysconf(_SC_NPROCESSORS_ONLN);
  for (long i = 0; turns >= 0 && (i < 2 || i < most); i++) {
    struct flock turn = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1};
    if (fcntl(turns, F_SETLK, &turn) == 0 || (errno != EAGAIN && errno != EACCES)) return 1; /* or there are no locks */
  }
  return 0;
}
