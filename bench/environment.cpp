#include "bench/environment.hpp"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.hpp"

namespace plumbline::bench {
namespace {

std::string contents(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string processor_name() {
  std::istringstream lines(contents("/proc/cpuinfo"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  return "";
}

std::uint32_t usable_cores() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<std::uint32_t>(CPU_COUNT(&allowed));
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

std::string boot_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

ProcessorTime processor_time() {
  std::istringstream line(contents("/proc/stat"));  // cpu user nice system idle iowait irq softirq steal ...
  std::string name;
  line >> name;
  ProcessorTime time;
  double ticks = 0;
  for (int column = 0; column < 8 && line >> ticks; ++column) {
    time.all += ticks;
    if (column == 7) time.stolen = ticks;
  }
  return time;
}

Environment describe_environment(const std::filesystem::path& directory) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::canonical(directory, failed);
  if (failed || !std::filesystem::is_directory(whole))
    throw Error(directory.string(), "is not a directory that can be read", "give an existing directory",
                ExitCode::kWrongUse);
  utsname system{};
  ::uname(&system);
  const Mount mount = mount_of(whole.string(), contents("/proc/self/mountinfo"));
  Environment result;
  result.host = system.nodename;
  result.created = utc_now();
  result.kernel = std::string(system.sysname) + " " + system.release;
  result.processor = processor_name();
  result.cores = usable_cores();
  result.load_before = load_average();
  result.directory = whole.string();
  result.mount_point = mount.point;
  result.file_system = mount.type;
  return result;
}

}  // namespace plumbline::bench
