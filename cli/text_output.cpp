#include "cli/text_output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace plumbline::cli {

bool use_colour(Colour colour, int file_descriptor) {
  if (colour != Colour::kAuto) return colour == Colour::kAlways;
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
