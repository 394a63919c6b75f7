#include "tracer/record/clocks/node_clock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <sstream>

#include "tracer/record/host_name.hpp"

namespace plumbline::record {
namespace {

constexpr char kMeetingPoint[] = "clock-server";
constexpr char kMeetingHeading[] = "plumbline clock server 1";
constexpr std::chrono::milliseconds kToFind{1000};

// At the start and at the end nothing else runs on this node, so all of the patience may be used; in between the
// program does.
constexpr std::chrono::milliseconds kAnAnswer{100};
constexpr Effort kThorough{kClockTargetNs, 16, 1000, 64, kClockPatience - kToFind - kAnAnswer};
constexpr Effort kPassing{kClockTargetNs, 4, 16, 16, std::chrono::milliseconds(100)};
constexpr std::size_t kKeptOfABurst = 8;  // from either side

struct MeetingPoint {
  NodeClockName name;
  std::string host;
  ClockAddress address;
};

std::string to_text(const MeetingPoint& meeting) {
  std::string text = fmt::format("{}\nclock {} {} {}\nport {}\ntoken {}\n", kMeetingHeading, meeting.name.boot_id,
                                 meeting.name.namespace_ns, meeting.host, meeting.address.port, meeting.address.token);
  for (const std::string& address : meeting.address.addresses) text += fmt::format("address {}\n", address);
  return text;
}

// Nothing when there is none, or none that can be understood.
std::optional<MeetingPoint> read_meeting(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kMeetingHeading) return {};
  MeetingPoint meeting;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kind, address;
    words >> kind;
    if (kind == "clock") words >> meeting.name.boot_id >> meeting.name.namespace_ns >> meeting.host;
    if (kind == "port") words >> meeting.address.port;
    if (kind == "token") words >> meeting.address.token;
    if (kind == "address" && words >> address) meeting.address.addresses.push_back(address);
  }
  return meeting;
}

// Creates the file with all of its content, unless it is there. link(2) is atomic on every file system, NFS included.
bool publish(const std::filesystem::path& path, const std::string& text) {
  const std::string draft = fmt::format("{}.{}.{}", path.string(), host_name(), getpid());
  const int fd = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);  // holds the token
  if (fd < 0) return false;
  const bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  const bool linked = written && link(draft.c_str(), path.c_str()) == 0;
  unlink(draft.c_str());
  return linked;
}

// The name of a clock, for files.
std::filesystem::path exchange_file(const std::filesystem::path& gather, const NodeClockName& name) {
  return gather / fmt::format("{}.{}{:+}.exchanges", host_name(), name.boot_id.substr(0, 8), name.namespace_ns);
}

// True for the first process that asks.
bool claim(const std::filesystem::path& file) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

void say_by_real_time(const std::string& what) {
  fmt::print(stderr, "plumbline: {}; this node's clock is lined up by real time only\n", what);
}

}  // namespace

void forget_earlier_meeting(const std::filesystem::path& gather) {
  const std::optional<MeetingPoint> meeting = read_meeting(gather / kMeetingPoint);
  if (meeting && ClockClient(monotonic_ns).connect(meeting->address, kToFind)) return;
  std::error_code ignored;
  std::filesystem::remove(gather / kMeetingPoint, ignored);
}

NodeClock::NodeClock(const std::filesystem::path& gather, const NodeClockName& name, Now now) : now_(std::move(now)) {
  try {
    take_part(gather, name);
  } catch (const std::exception& fault) {
    say_by_real_time(fmt::format("node {} cannot compare its clock with others ({})", host_name(), fault.what()));
    client_.reset();
  }
}

NodeClock::~NodeClock() { finish(); }

void NodeClock::take_part(const std::filesystem::path& gather, const NodeClockName& name) {
  const std::filesystem::path meeting_point = gather / kMeetingPoint;
  std::optional<MeetingPoint> meeting = read_meeting(meeting_point);
  if (!meeting && serve_first(gather, name)) return;
  if (!meeting) meeting = read_meeting(meeting_point);
  if (!meeting)
    return say_by_real_time(fmt::format("{} cannot be made or read on node {}", meeting_point.string(), host_name()));
  if (meeting->name == name) return;  // the clock that serves is this node's own
  const std::filesystem::path path = exchange_file(gather, name);
  if (!claim(path)) return;
  auto client = std::make_unique<ClockClient>(now_);
  if (!client->connect(meeting->address, kToFind)) {
    say_by_real_time(fmt::format("node {} cannot reach the clock of {} (port {})", host_name(), meeting->host,
                                 meeting->address.port));
    return;
  }
  file_ = std::make_unique<ExchangeFile>(path, ExchangeRecord{name, meeting->name, host_name(), meeting->host, {}, 0});
  client_ = std::move(client);
  reference_ = meeting->address;
  compare(kThorough);
}

bool NodeClock::serve_first(const std::filesystem::path& gather, const NodeClockName& name) {
  auto server = std::make_unique<ClockServer>(now_);
  if (!publish(gather / kMeetingPoint, to_text({name, host_name(), server->address()}))) return false;
  published_ = gather / kMeetingPoint;
  server_ = std::move(server);
  return true;
}

// An answer that came too late has cost the connection; another time there may be a new one.
void NodeClock::compare(const Effort& effort) {
  if (!client_->connected() && !client_->connect(reference_, effort.patience)) return;
  const clocks::Burst burst = exchange_repeatedly([&] { return client_->exchange(kAnAnswer); }, effort);
  if (!burst.empty()) file_->add(clocks::tightest(burst, kKeptOfABurst), burst.size());
}

void NodeClock::watch(std::chrono::milliseconds interval) {
  try {
    if (server_) server_->start();
    if (client_) thread_ = std::thread([this, interval] { compare_now_and_then(interval); });
  } catch (const std::exception& fault) {
    say_by_real_time(fmt::format("node {} cannot go on comparing clocks ({})", host_name(), fault.what()));
  }
}

void NodeClock::compare_now_and_then(std::chrono::milliseconds interval) {
  std::unique_lock lock(mutex_);
  try {
    while (!condition_.wait_for(lock, interval, [this] { return finishing_; })) compare(kPassing);
  } catch (const std::exception&) {  // the file cannot be written: the last exchanges will say so
  }
}

void NodeClock::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  condition_.notify_all();
  if (thread_.joinable()) thread_.join();
  try {
    if (client_) compare(kThorough);
  } catch (const std::exception& fault) {
    say_by_real_time(fmt::format("node {} cannot write what it learnt of its clock ({})", host_name(), fault.what()));
  }
  client_.reset();
  if (server_) server_->finish(kClockPatience);
  server_.reset();
  std::error_code ignored;
  if (!published_.empty()) std::filesystem::remove(published_, ignored);
  published_.clear();
}

}  // namespace plumbline::record
