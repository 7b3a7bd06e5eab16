/* A part of hook.c: what a client does when no daemon answers. */

/* In the background and in a session of its own, holding nothing of the agent's: no descriptor, no directory, no
 * environment. The marker file `starting` keeps many clients from starting many daemons. */
static void start_daemon(void) {
  if ((mkdir(run_dir, 0700) != 0 && errno != EEXIST) || check_run_dir() != TRY) return;
  for (int again = 0; open(starting, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600) < 0; again++)
    if (again || errno != EEXIST || is_recent(starting) || unlink(starting) != 0) return;
  pid_t child = fork();
  if (child != 0) return (void)waitpid(child, NULL, 0);
  if (setsid() < 0 || chdir("/") != 0 || fork() != 0) _exit(0);
  for (int i = 0; i < 65536; i++) close(i); /* also descriptors that the agent left open */
  for (int i = 0; i < 3; i++) open("/dev/null", O_RDWR);
  setenv("HOOKWRIGHT_HOME", home, 1);
  for (char **e = environ, **to = e; (*to = *e); e++)
    if (listed(*e, "PATH\nHOME\nHOOKWRIGHT_HOME\nXDG_RUNTIME_DIR\nTMPDIR\nLANG")) to++;
  run_node("--max-semi-space-size=4", "daemon.cjs", NULL); /* holds 20 MB less, and is no slower */
  _exit(127);
}

/* A waiting client asks the daemon meanwhile, even one that was too slow before: its answer costs next to nothing. */
static enum outcome await_turn(int may_ask) {
  if (check_run_dir() == TRY) turns = open(queue, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
  while (turns >= 0 && !take_turn() && clock_ms(CLOCK_MONOTONIC) < last) { /* shortly before the deadline it goes on without a slot */
    if (may_ask && exchange(last) == DONE) return DONE;
    ready(-1, 0, soon());
  }
  return LATE;
}
