#include "cli/text_output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace plumbline::cli {

bool use_colour(Colour colour, int file_descriptor) {
  if (colour != Colour::kAuto) return colour == Colour::kAlways;
  // Open MPI's launcher gives processes a terminal of their own, whatever its own output goes to.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return false;
  const char* term = std::getenv("TERM");
  return isatty(file_descriptor) != 0 && std::getenv("NO_COLOR") == nullptr &&
         !(term && std::string_view(term) == "dumb");
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 110;
}

}  // namespace plumbline::cli
