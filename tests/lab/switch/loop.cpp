#include "tests/lab/switch/loop.hpp"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "base/check.hpp"
#include "tests/lab/switch/tap.hpp"

namespace plumbline::lab {
namespace {

// What is due this soon goes out now.
constexpr Duration kEarly = microseconds(3);

constexpr Duration kForEver{std::numeric_limits<std::int64_t>::max()};

// Frames of one port per turn: a flooding node does not keep the others waiting.
constexpr int kFramesPerTurn = 64;

constexpr std::size_t kAddress = 6;  // octets
constexpr std::uint32_t kWakeUp = std::numeric_limits<std::uint32_t>::max();

std::size_t room_for_frames(const Settings& settings) {
  std::uint32_t mtu = 0;
  for (const PortSettings& port : settings.ports) mtu = std::max(mtu, port.mtu);
  return kVnetHeader + largest_frame(mtu);
}

}  // namespace

std::int64_t Loop::clock_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

Loop::Loop(Plant& plant, const Settings& settings, std::vector<Descriptor> taps)
    : plant_(plant),
      pool_(room_for_frames(settings)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_up_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      start_ns_(clock_ns()),
      spin_(settings.spin),
      last_frame_(now() - settings.spin) {
  PLUMBLINE_CHECK(epoll_ && wake_up_ && taps.size() == settings.ports.size(), "the loop cannot begin");
  watch(wake_up_.get(), kWakeUp);
  for (PortId id = 0; id < taps.size(); ++id) {
    watch(taps[id].get(), id);
    stations_.emplace_back(settings.ports[id].mac.bits, id);
    ports_.push_back({std::move(taps[id]), settings.ports[id].name});
  }
  std::sort(stations_.begin(), stations_.end());
}

void Loop::watch(int descriptor, std::uint32_t name) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = name;
  PLUMBLINE_CHECK(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll takes every descriptor");
}

void Loop::run() {
  std::array<epoll_event, 64> room{};
  while (!stopping_.load(std::memory_order_relaxed)) {
    for (const epoll_event& event : wait(room)) {
      if (event.data.u32 == kWakeUp)
        serve_task();
      else
        read_frames(event.data.u32);
    }
    hand_out(now());
  }
  ended_ = true;
  if (task_.exchange(nullptr) != nullptr) end_task(TaskState::kNotRun);
}

// Within `spin_` of a frame, or while one is under way, it does not sleep. Else it sleeps until a frame comes or
// `lead_` before something is due; the rest of the time until then goes by in waits of zero.
std::span<const epoll_event> Loop::wait(std::span<epoll_event> room) {
  const Time wake = wake_time(plant_.fabric);
  const Time begin = now();
  if (spin_.ps > 0 && (wake != kNever || begin < last_frame_ + spin_)) {
    share_.spend(begin);
    return look(room, {});
  }
  if (wake == kNever) return look(room, kForEver);
  const Time alarm = std::max(begin, wake - kEarly - lead_);
  const std::span<const epoll_event> ready = look(room, alarm - begin);
  if (ready.empty() && alarm > begin) learn_lead(now() - alarm);
  return ready;
}

std::span<const epoll_event> Loop::look(std::span<epoll_event> room, Duration patience) {
  const std::int64_t ns = patience.ps / 1'000;
  const timespec timeout{ns / 1'000'000'000, ns % 1'000'000'000};
  const int ready = ::epoll_pwait2(epoll_.get(), room.data(), static_cast<int>(room.size()),
                                   patience == kForEver ? nullptr : &timeout, nullptr);
  return room.first(static_cast<std::size_t>(std::max(ready, 0)));
}

// A running median: every wake-up that took longer than expected moves it up, every other one down.
void Loop::learn_lead(Duration wake_up) {
  constexpr Duration kStep = nanoseconds(200), kMost = microseconds(60);
  lead_ += wake_up > lead_ ? kStep : -kStep;
  lead_ = std::clamp(lead_, Duration{0}, kMost);
}

void Loop::read_frames(PortId port) {
  for (int i = 0; i < kFramesPerTurn && ports_[port].tap; ++i) {
    const FrameId frame = pool_.take();
    std::byte* const bytes = pool_.bytes(frame);
    const ssize_t length = ::read(ports_[port].tap.get(), bytes, pool_.frame_size());
    if (length < static_cast<ssize_t>(kVnetHeader + 2 * kAddress)) {
      pool_.give_back(frame);
      if (length >= 0 || errno == EINTR) continue;
      if (errno != EAGAIN) give_up(port, errno);
      return;
    }
    const Time at = now();
    const std::size_t size = static_cast<std::size_t>(length) - kVnetHeader;
    if (frame >= lengths_.size()) lengths_.resize(frame + 1);
    lengths_[frame] = static_cast<std::size_t>(length);
    note_frame(plant_.capture, start_ns_ + at.ps / 1'000, {bytes + kVnetHeader, size});
    last_frame_ = at;
    take_in(plant_.fabric, at, port, frame, Bytes{size}, receiver_of(bytes + kVnetHeader));
    hand_out(at);
  }
}

void Loop::hand_out(Time now_is) {
  advance(plant_.fabric, now_is + kEarly);
  while (const std::optional<Delivery> delivery = next_delivery(plant_.fabric, now_is + kEarly)) {
    plant_.lateness.add(now_is - delivery->at);
    write_frame(*delivery);
    leave(plant_.fabric, delivery->frame);
    now_is = now();
    advance(plant_.fabric, now_is + kEarly);
  }
  reclaim();
}

void Loop::write_frame(const Delivery& delivery) {
  const Port& port = ports_[delivery.port];
  if (!port.tap || ::write(port.tap.get(), pool_.bytes(delivery.frame), lengths_[delivery.frame]) < 0)
    ++plant_.refused[delivery.port];
}

void Loop::reclaim() {
  for (const FrameId frame : plant_.fabric.finished) pool_.give_back(frame);
  plant_.fabric.finished.clear();
}

// A node that ends takes its device along; what is sent to it from then on is refused.
void Loop::give_up(PortId port, int error) {
  fmt::print(stderr, "plumbline-switch: port {}: its device is gone ({})\n", ports_[port].name, std::strerror(error));
  ports_[port].tap = Descriptor();
}

PortId Loop::receiver_of(const std::byte* frame) const {
  std::uint64_t address = 0;
  for (std::size_t i = 0; i < kAddress; ++i) address = address << 8 | std::to_integer<std::uint64_t>(frame[i]);
  const auto found = std::lower_bound(stations_.begin(), stations_.end(), std::pair{address, PortId{0}});
  return found != stations_.end() && found->first == address ? found->second : kEverybody;
}

void Loop::serve_task() {
  std::uint64_t ignored = 0;
  if (::read(wake_up_.get(), &ignored, sizeof ignored) < 0) return;
  if (const std::function<void()>* task = task_.exchange(nullptr)) {
    (*task)();
    end_task(TaskState::kDone);
  }
}

void Loop::end_task(TaskState state) {
  task_state_ = state;
  task_state_.notify_one();
}

// Either the ending loop sees the task, or this sees that the loop has ended.
bool Loop::execute(const std::function<void()>& task) {
  task_state_ = TaskState::kWaiting;
  task_ = &task;
  wake();
  if (ended_ && task_.exchange(nullptr) != nullptr) return false;
  task_state_.wait(TaskState::kWaiting);
  return task_state_ == TaskState::kDone;
}

void Loop::stop() {
  stopping_ = true;
  wake();
}

void Loop::wake() {
  const std::uint64_t one = 1;
  PLUMBLINE_CHECK(::write(wake_up_.get(), &one, sizeof one) == sizeof one, "an eventfd takes a one");
}

}  // namespace plumbline::lab
