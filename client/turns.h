/* A part of hook.c: the queue of clients that wait for the daemon, or for a slot to decide by themselves (cold). */

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif
enum { LIVELY_MS = 1000 };
static int turns = -1; /* the file with the locks of the queue, once this process waits in it */

static int64_t soon(void) { /* when a waiting client tries again; clients differ, so that they do not try at the same moment */
  return clock_ms(CLOCK_MONOTONIC) + 10 + getpid() % 10;
}

/* The heartbeat of the daemon is the modification time of its socket: a daemon with a recent one answers others and does
 * not hang. To wait for it costs less than to decide cold, and more cold processes would make it slower. */
static int is_lively(void) {
  struct stat st;
  int64_t now = clock_ms(CLOCK_REALTIME);
  if (lstat(address.sun_path, &st) != 0) return 0;
  int64_t age = now - ((int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000);
  return age > -LIVELY_MS && age < LIVELY_MS;
}

/* As many clients decide cold at the same time as the machine has processors, and at least two; the others wait in the
 * queue. All at once they would slow each other down, and also the one with the write lock of the database. A slot is a
 * lock on one byte of a file. It belongs to the process, so Node keeps it until it ends, however it ends. */
static int take_turn(void) {
  long most = sysconf(_SC_NPROCESSORS_ONLN);
  for (long i = 0; turns >= 0 && (i < 2 || i < most); i++) {
    struct flock turn = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1};
    if (fcntl(turns, F_SETLK, &turn) == 0 || (errno != EAGAIN && errno != EACCES)) return 1; /* or there are no locks */
  }
  return 0;
}
