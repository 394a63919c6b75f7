// broadcast_schemes_figure TRANSPORT > FILE.svg

#include <cstdio>

#include "tests/hwmodels/broadcast_schemes_figure.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s TRANSPORT\n", argv[0]);
    return 2;
  }
  std::fputs(plumbline::hw::test::broadcast_schemes_figure(argv[1]).c_str(), stdout);
}
