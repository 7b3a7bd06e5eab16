/* A part of hook.c: the wait for an answer that a person may give elsewhere. */

enum { WAITING = 255 };

/* A reply with the exit code WAITING only says for how many milliseconds to wait for the real one. The event is decided
 * already then, and only the person can change it: whatever ends the wait counts as an answer that says nothing. */
static enum outcome await_person(int fd, size_t want) {
  while ((unsigned char)*reply.data == WAITING) {
    int64_t until = clock_ms(CLOCK_MONOTONIC) + strtol(reply.data + 5, NULL, 10);
    memmove(reply.data, reply.data + want, reply.len -= want);
    while ((want = reply_length()) > reply.len || want == 0)
      if (want == 0 || !ready(fd, POLLIN, until) || !get(fd, &reply, want - reply.len + 4096))
        return *reply.data = 0, out_len = err_len = 0, DONE;
  }
  return DONE;
}
