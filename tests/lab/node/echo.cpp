// Times the way between nodes as MPI over sockets sees it: a few bytes go there and back over TCP, and both ends wait
// for them as the ranks of the laboratory do (wait_shim.c): three empty looks, a wait in the kernel, and a look again.
//
//   lab-echo serve
//     Prints "ready" and answers one client after the other until it is ended.
//   lab-echo ask BLOCKS MS BYTES ADDRESS[@US] ...
//     BLOCKS times, to each address in turn, round trips for MS milliseconds. A line for each of these: the address,
//     the median in ns, how many they were. With US, either end first waits for so many microseconds before it sends,
//     so that the other one has waited for the message as it does for one from another node; that wait is in no time.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint16_t kPort = 7001;
constexpr int kEmptyLooks = 3;
constexpr int kWaitMs = 1;  // the timer of a wait: setting it and taking it back is part of the way
constexpr int kMostWaits = 1000;
constexpr std::size_t kMostBytes = 1024;

int fail(const char* what) {
  std::perror(what);
  return 1;
}

// One end: a socket, and the epoll set by which both MPI libraries watch theirs.
struct End {
  int socket = -1;
  int set = -1;
};

End make_end(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  const End end{socket, ::epoll_create1(EPOLL_CLOEXEC)};
  epoll_event event{};
  event.events = EPOLLIN;
  ::epoll_ctl(end.set, EPOLL_CTL_ADD, socket, &event);
  return end;
}

void close_end(const End& end) {
  ::close(end.set);
  ::close(end.socket);
}

bool look(const End& end) {
  epoll_event event{};
  return ::epoll_wait(end.set, &event, 1, 0) > 0;
}

// Whether something came within about a second.
bool wait_for(const End& end) {
  for (int looks = 0; looks < kEmptyLooks; ++looks)
    if (look(end)) return true;
  pollfd set{end.set, POLLIN, 0};
  for (int waits = 0; waits < kMostWaits; ++waits)
    if (::poll(&set, 1, kWaitMs) > 0) return look(end);
  return false;
}

// What has come, at most `room`; empty when the other side is gone or silent. Like a library it reads until there is no
// more.
std::span<char> receive_some(const End& end, std::span<char> room) {
  if (!wait_for(end)) return {};
  std::size_t have = 0;
  while (have < room.size()) {
    const ssize_t bytes = ::recv(end.socket, room.data() + have, room.size() - have, MSG_DONTWAIT);
    if (bytes <= 0) break;
    have += static_cast<std::size_t>(bytes);
  }
  return room.first(have);
}

bool send_all(const End& end, std::span<const char> bytes) {
  return ::send(end.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

sockaddr_in at_port(in_addr address) {
  sockaddr_in all{};
  all.sin_family = AF_INET;
  all.sin_port = htons(kPort);
  all.sin_addr = address;
  return all;
}

// What a message begins with: there, how long the other one is to wait before it answers, and back, how long it did.
using Wait = std::chrono::nanoseconds;

Wait wait_in(std::span<const char> message) {
  std::int64_t ns = 0;
  std::memcpy(&ns, message.data(), sizeof ns);
  return Wait(ns);
}

void put_wait(Wait wait, std::span<char> message) {
  const std::int64_t ns = wait.count();
  std::memcpy(message.data(), &ns, sizeof ns);
}

// In the kernel, as a rank waits in which nothing comes in; not at all for 0. Answers how long it took.
Wait spend(const End& end, Wait wait) {
  if (wait <= Wait(0)) return Wait(0);
  const Clock::time_point before = Clock::now();
  pollfd set{end.set, POLLIN, 0};
  const timespec least{0, static_cast<long>(std::min<std::int64_t>(wait.count(), 999'999'999))};
  ::ppoll(&set, 1, &least, nullptr);
  return Clock::now() - before;
}

// A message comes in one piece: it is in one frame.
void answer(const End& end) {
  std::array<char, kMostBytes> room{};
  for (;;) {
    const std::span<char> bytes = receive_some(end, room);
    if (bytes.size() < sizeof(std::int64_t)) return;
    put_wait(spend(end, wait_in(bytes)), bytes);
    if (!send_all(end, bytes)) return;
  }
}

int serve() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in any = at_port({htonl(INADDR_ANY)});
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0 || ::listen(listener, 4) != 0)
    return fail("lab-echo: listen");
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return fail("lab-echo: accept");
    const End end = make_end(socket);
    answer(end);
    close_end(end);
  }
}

std::optional<End> connect_to(const char* text) {
  in_addr address{};
  if (::inet_pton(AF_INET, text, &address) != 1) return std::nullopt;
  const sockaddr_in there = at_port(address);
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) return std::nullopt;
  return make_end(socket);
}

std::optional<std::int64_t> round_trip_ns(const End& end, std::span<char> message, Wait wait) {
  spend(end, wait);
  put_wait(wait, message);
  const Clock::time_point before = Clock::now();
  if (!send_all(end, message)) return std::nullopt;
  for (std::size_t have = 0; have < message.size();) {
    const std::size_t some = receive_some(end, message.subspan(have)).size();
    if (some == 0) return std::nullopt;
    have += some;
  }
  return (Clock::now() - before - wait_in(message)).count();
}

struct Partner {
  std::string address;
  Wait wait{0};
  End end = {};
};

// "10.77.0.2", or "127.0.0.1@100"
Partner partner_of(std::string_view text) {
  const std::size_t at = text.find('@');
  Partner partner{std::string(text.substr(0, at))};
  if (at != std::string_view::npos) partner.wait = std::chrono::microseconds(std::atol(text.data() + at + 1));
  return partner;
}

// False when no answer came.
bool print_block(const Partner& partner, std::span<char> message, std::chrono::milliseconds length) {
  std::vector<std::int64_t> trips;
  const Clock::time_point until = Clock::now() + length;
  do {
    const std::optional<std::int64_t> trip = round_trip_ns(partner.end, message, partner.wait);
    if (!trip) return false;
    trips.push_back(*trip);
  } while (Clock::now() < until);
  const auto middle = trips.begin() + static_cast<std::ptrdiff_t>(trips.size() / 2);
  std::nth_element(trips.begin(), middle, trips.end());
  std::printf("%s %lld %zu\n", partner.address.c_str(), static_cast<long long>(*middle), trips.size());
  return true;
}

int ask(int blocks, std::chrono::milliseconds length, std::size_t bytes, std::span<char*> addresses) {
  std::vector<char> message(bytes);
  std::vector<Partner> partners;
  for (const char* address : addresses) {
    Partner partner = partner_of(address);
    const std::optional<End> end = connect_to(partner.address.c_str());
    if (!end) return fail("lab-echo: connect");
    partner.end = *end;
    partners.push_back(std::move(partner));
  }
  for (int block = 0; block < blocks; ++block)
    for (const Partner& partner : partners)
      if (!print_block(partner, message, length)) return fail("lab-echo: no answer");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  ::prctl(PR_SET_TIMERSLACK, 1);
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "serve" && argc == 2) return serve();
  const long bytes = argc > 4 ? std::atol(argv[4]) : 0;
  if (verb == "ask" && argc > 5 && bytes >= static_cast<long>(sizeof(std::int64_t)) &&
      bytes <= static_cast<long>(kMostBytes))
    return ask(std::atoi(argv[2]), std::chrono::milliseconds(std::atol(argv[3])), static_cast<std::size_t>(bytes),
               {argv + 5, static_cast<std::size_t>(argc - 5)});
  std::fprintf(stderr, "usage: lab-echo serve | ask BLOCKS MS BYTES ADDRESS[@US] ... (started by `lab up`)\n");
  return 2;
}
