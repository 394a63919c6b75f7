#pragma once
// What is said once the server listens, and whether a browser is opened.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "viewer/server/opened.hpp"

namespace plumbline::cli::view {

// Where we run, as far as it decides what is said. From the environment, in the command.
struct Surroundings {
  bool over_ssh = false, has_display = false, on_terminal = false;
  std::string user, host;
};
Surroundings surroundings();

struct Place {
  std::string address;  // as the socket tells it: "127.0.0.1"
  std::uint16_t port = 0;
  std::string token;
};

// "http://127.0.0.1:8080/#t=…": behind the '#', which browsers keep to themselves.
std::string url_of(const Place& place);

// The line that makes the port reachable from another machine; nothing where the user sits at this one, or the server
// listens to others anyway.
std::optional<std::string> tunnel_to(const Place& place, const Surroundings& here);

// Only where somebody looks at a screen of this machine.
bool opens_browser(const Surroundings& here);

// What is shown, the address, the tunnel, and how it ends.
std::string greeting(const viewer::Opened& opened, const Place& place, const Surroundings& here);
// The same for programs, on one line.
std::string greeting_json(const viewer::Opened& opened, const Place& place);

// Opens the user's browser. The token is in a file that only the user can read, not on a command line, which everybody
// sees; the file goes with the result. Nothing where there is no xdg-open.
std::shared_ptr<const std::filesystem::path> open_browser(const std::string& url);

}  // namespace plumbline::cli::view
