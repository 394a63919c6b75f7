#include "cli/workflows/view/greeting.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "replay/compare/result/wording.hpp"

namespace plumbline::cli::view {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_loopback(std::string_view address) { return address.starts_with("127.") || address == "::1"; }

std::string host_in_url(const std::string& address) {
  if (address == "0.0.0.0" || address == "::") return "localhost";
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

std::uint64_t operations_of(const replay::Program& program) {
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) operations += program.rank(rank).operations.size();
  return operations;
}

std::string what_is_shown(const viewer::Opened& opened) {
  const viewer::Runs& runs = opened.runs;
  std::string text = runs.observed_name;
  if (runs.is_compared()) text += " against " + runs.reference_name;
  text += fmt::format(": {}, {}\n", replay::plural(runs.observed.ranks(), "rank"),
                      replay::plural(operations_of(runs.observed), "operation"));
  if (opened.report.is_object()) text += opened.report["verdict"].value("sentence", "") + "\n";
  for (const std::string& banner : runs.banners) text += "! " + banner + "\n";
  return text;
}

// A page of its own that leads on to the address.
void write_redirect(const fs::path& file, const std::string& url) {
  std::ofstream(file) << "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\n"
                      << "<title>Plumbline</title><meta http-equiv=\"refresh\" content=\"0; url=" << url << "\">\n"
                      << "<a href=\"" << url << "\">"
                      << "Open the viewer</a>\n";
}

bool starts(const char* program, const char* argument) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  std::array<char*, 3> words{const_cast<char*>(program), const_cast<char*>(argument), nullptr};
  pid_t pid = 0;
  const int fault = ::posix_spawnp(&pid, program, &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return fault == 0;
}

}  // namespace

Surroundings surroundings() {
  Surroundings here;
  here.over_ssh = is_set("SSH_CONNECTION");
  here.has_display = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
  here.on_terminal = ::isatty(STDOUT_FILENO) == 1;
  const passwd* const user = ::getpwuid(::geteuid());
  here.user = user != nullptr ? user->pw_name : "USER";
  std::array<char, 256> host{};
  here.host = ::gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "HOST";
  return here;
}

std::string url_of(const Place& place) {
  return fmt::format("http://{}:{}/#t={}", host_in_url(place.address), place.port, place.token);
}

std::optional<std::string> tunnel_to(const Place& place, const Surroundings& here) {
  const bool elsewhere = here.over_ssh || !here.has_display;
  if (!elsewhere || !is_loopback(place.address)) return std::nullopt;
  return fmt::format("ssh -N -L {0}:{1}:{0} {2}@{3}", place.port, host_in_url(place.address), here.user, here.host);
}

bool opens_browser(const Surroundings& here) { return here.has_display && !here.over_ssh && here.on_terminal; }

std::string greeting(const viewer::Opened& opened, const Place& place, const Surroundings& here) {
  std::string text = what_is_shown(opened);
  text += fmt::format("\n  {}\n\n", url_of(place));
  if (const std::optional<std::string> tunnel = tunnel_to(place, here))
    text += fmt::format("From another machine, first run there, then open the same address:\n  {}\n", *tunnel);
  return text + "Ctrl-C ends it. Whoever has the address can read the archives.\n";
}

std::string greeting_json(const viewer::Opened& opened, const Place& place) {
  const viewer::Runs& runs = opened.runs;
  const std::string root = fmt::format("http://{}:{}/", host_in_url(place.address), place.port);
  const nlohmann::ordered_json json{
      {"url", url_of(place)},
      {"api", root + "api/v1/"},
      {"port", place.port},
      {"token", place.token},
      {"observed", runs.observed_name},
      {"reference", runs.is_compared() ? nlohmann::ordered_json(runs.reference_name) : nlohmann::ordered_json(nullptr)},
      {"key", opened.key},
      {"banners", runs.banners}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::shared_ptr<const fs::path> open_browser(const std::string& url) {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const fs::path parent = runtime != nullptr && *runtime == '/' ? fs::path(runtime) : fs::temp_directory_path();
  std::string name = (parent / "plumbline-view-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return nullptr;
  std::shared_ptr<const fs::path> directory(new fs::path(name), [](const fs::path* path) {
    std::error_code ignored;
    fs::remove_all(*path, ignored);
    delete path;
  });
  const fs::path file = *directory / "open.html";
  write_redirect(file, url);
  return starts("xdg-open", file.c_str()) ? directory : nullptr;
}

}  // namespace plumbline::cli::view
