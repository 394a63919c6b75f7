// The program to near.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"

enum { kWrongUse = 2, kCannotRun = 6 };

static const char kHelp[] =
    "usage: lab-apart CORE CORE [--draw SECONDS]\n\n"
    "Prints how many nanoseconds a cache line takes from one core to the other and back, by the fastest tenth of 50\n"
    "blocks of 20 trips. With --draw the cores first wake each other from sleep for so long, upon which the host of a\n"
    "virtual machine puts them near each other, if they are allowed to sleep.\n"
    "Status: 0; 2 wrong use; 6 a core that this process may not use.\n";

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(kHelp, stdout) < 0;
  bool draws = argc == 5 && strcmp(argv[3], "--draw") == 0;
  if (argc != 3 && !draws) return fputs("lab-apart: two cores are needed; see --help\n", stderr), kWrongUse;
  if (!near_start(atoi(argv[1]), atoi(argv[2])))
    return fputs("lab-apart: these cores cannot be used\n", stderr), kCannotRun;
  if (draws) near_draw(atof(argv[4]));
  return printf("%.1f\n", near_apart()) < 0;
}
