/* A part of hook.c: what is done where no daemon answers. */

/* In the background and in a session of its own, holding nothing of the agent's: no descriptor, no directory, no
 * environment. The stamp keeps a crowd of clients from starting a crowd of daemons. */
static void start_daemon(void) {
  if ((mkdir(run_dir, 0700) != 0 && errno != EEXIST) || check_run_dir() != TRY) return;
  for (int again = 0; open(starting, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600) < 0; again++)
    if (again || errno != EEXIST || is_recent(starting) || unlink(starting) != 0) return;
  pid_t child = fork();
  if (child != 0) return (void)waitpid(child, NULL, 0);
  if (setsid() < 0 || chdir("/") != 0 || fork() != 0) _exit(0);
  for (int i = 0; i < 65536; i++) close(i); /* whatever the agent left open; nobody waits for this process */
  for (int i = 0; i < 3; i++) open("/dev/null", O_RDWR);
  setenv("HOOKWRIGHT_HOME", home, 1);
  for (char **e = environ, **to = e; (*to = *e); e++)
    if (listed(*e, "PATH\nHOME\nHOOKWRIGHT_HOME\nXDG_RUNTIME_DIR\nTMPDIR\nLANG")) to++;
  run_node("--max-semi-space-size=4", "daemon.cjs", NULL); /* holds 20 MB less, and is no slower */
  _exit(127);
}

/* A crowd that has to decide by itself: as many at a time as the machine has processors, and at least two; the others
 * wait for their turn. All at once they would only keep each other from running, and among them whoever has the
 * database's lock. A turn is a lock on one byte of a file. It belongs to the process, so Node has it until it ends,
 * however it ends. Whoever waits takes the answer of a daemon as soon as there is one. */
static enum outcome await_turn(int64_t until, int64_t last, int64_t patience, int may_ask) {
  long turns = sysconf(_SC_NPROCESSORS_ONLN);
  int fd = check_run_dir() == TRY ? open(queue, O_RDWR | O_CREAT | O_NOFOLLOW, 0600) : -1;
  while (fd >= 0) {
    for (long i = 0; i < 2 || i < turns; i++) {
      struct flock turn = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = i, .l_len = 1};
      if (fcntl(fd, F_SETLK, &turn) == 0) return LATE;
      if (errno != EAGAIN && errno != EACCES) return LATE; /* a file system without locks */
    }
    int64_t now = clock_ms(CLOCK_MONOTONIC), answer = now + patience;
    if (now >= until) break; /* better in a crowd than too late */
    poll(NULL, 0, 10 + getpid() % 10);
    if (may_ask && !is_recent(slow) && exchange(answer < last ? answer : last) == DONE) return DONE;
  }
  return LATE;
}
