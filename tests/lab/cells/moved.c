#include "moved.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../node/near.h"

enum { kDraws = 5 };
static const double kDrawSeconds = 0.3;

static double below;  // 0: nobody asks
static const char* switch_socket;

bool moved_start(const char* cores, double below_ns, const char* control) {
  int here, there;
  if (sscanf(cores, "%d,%d", &here, &there) != 2 || !near_start(here, there)) return false;
  below = below_ns;
  switch_socket = control;
  return true;
}

bool moved(void) { return below > 0 && near_apart() > below; }

void on_core_of_switch(void (*what)(void)) {
  if (below > 0) near_there(what);
}

// Whether the switch has done it. It answers in one line, {"ok":true} or {"ok":false, ..}.
static bool keep_awake(bool yes) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(switch_socket) >= sizeof address.sun_path) return false;
  strcpy(address.sun_path, switch_socket);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  char request[64], reply[64];
  int length = snprintf(request, sizeof request, "{\"do\": \"set\", \"awake\": %s}\n", yes ? "true" : "false");
  bool done = connection >= 0 && connect(connection, (struct sockaddr*)&address, sizeof address) == 0 &&
              write(connection, request, (size_t)length) == length;
  ssize_t got = done ? read(connection, reply, sizeof reply - 1) : 0;
  reply[got > 0 ? got : 0] = '\0';
  done = strstr(reply, "true") != NULL;
  if (connection >= 0) close(connection);
  return done;
}

void move_back(void) {
  bool sleeps = switch_socket && keep_awake(false);
  for (int i = 0; i < kDraws && moved(); i++) near_draw(kDrawSeconds);
  if (sleeps && !keep_awake(true)) fprintf(stderr, "cells: the switch does not keep the cores awake again\n");
}
