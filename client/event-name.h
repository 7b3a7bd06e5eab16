/* A part of hook.c: which event this is. Only used when no process can decide; otherwise the client parses no event. */

static int has_arg(const char *name, const char *value) {
  for (char **a = args; *a; a++)
    if (!strcmp(*a, name) && (!value || (a[1] && !strcmp(a[1], value)))) return 1;
  return 0;
}

static int is_text(const char *from, const char *end, const char *text) {
  return (size_t)(end - from) == strlen(text) && !memcmp(from, text, strlen(text));
}

/* What agents call a tool call before it runs; a test compares it with what is declared of them. */
static const char *const CALLS[] = {"PreToolUse", "preToolUse", "BeforeTool", "tool.execute.before", "tool_call", NULL};

static int is_call(const char *from, const char *end) {
  const char *const *name = CALLS;
  while (*name && !is_text(from, end, *name)) name++;
  return *name != NULL;
}

/* The agent's arguments may name the event, else the body does, however far it was read. One that names a tool and no
 * event is a call of it. An event that cannot be recognised counts as a tool call: better one call too many is stopped than one passes. */
static int is_tool_call(void) {
  int depth = 0, is_value = 0, is_event = 0, tool = 0, named = has_arg("--event", NULL);
  for (const char *const *name = CALLS; *name; name++)
    if (has_arg("--event", *name)) return 1;
  if (body.len > 0 && !body.data) return 1;
  for (const char *at = body.data, *end = at + body.len; at < end; at++) {
    if (*at == '{' || *at == '[') depth += 1 + (depth == 0 && *at == '['); /* a list is no event */
    else if (*at == '}' || *at == ']') depth--;
    else if (depth == 1 && (*at == ':' || *at == ',')) is_value = *at == ':';
    if (*at != '"') continue;
    const char *from = ++at;
    while (at < end && *at != '"') at += *at == '\\' && at + 1 < end ? 2 : 1;
    if (depth != 1) continue;
    int escaped = memchr(from, '\\', (size_t)(at - from)) != NULL;
    if (!is_value) {
      is_event = escaped || is_text(from, at, "hook_event_name");
      tool |= is_text(from, at, "tool_name");
    } else if (is_event) {
      if (escaped || is_call(from, at)) return 1;
      named = 1;
    }
  }
  return tool && !named;
}
