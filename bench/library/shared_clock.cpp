#include "bench/library/shared_clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace plumbline::bench {
namespace {

constexpr int kClockTag = 1;
constexpr int kFewestExchanges = 10, kMostExchanges = 1000, kWithoutGain = 100;
constexpr std::size_t kKeptOfABurst = 4;  // that bound the offset most tightly from either side
constexpr std::size_t kMostBursts = 64;

// What is between two comparisons is between two kept ones too.
void thin_out(std::vector<clocks::Burst>& bursts) {
  if (bursts.size() <= kMostBursts) return;
  std::vector<clocks::Burst> kept;
  for (std::size_t i = 0; i < bursts.size(); ++i)
    if (i % 2 == 0 || i + 1 == bursts.size()) kept.push_back(std::move(bursts[i]));
  bursts = std::move(kept);
}

void send_numbers(const std::vector<std::int64_t>& numbers, int to, MPI_Comm comm) {
  must(MPI_Send(numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, to, kClockTag, comm));
}

template <std::size_t N>
std::array<std::int64_t, N> receive_numbers(int from, MPI_Comm comm) {
  std::array<std::int64_t, N> numbers{};
  must(MPI_Recv(numbers.data(), N, MPI_INT64_T, from, kClockTag, comm, MPI_STATUS_IGNORE));
  return numbers;
}

}  // namespace

std::uint64_t name_of_clock() {
  std::string text;
  for (const char* path : {"/proc/sys/kernel/random/boot_id", "/proc/self/timens_offsets"}) {
    std::ifstream file(path);
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

SharedClock::SharedClock(MPI_Comm comm, double limit_ns, OwnClock own)
    : comm_(comm), limit_ns_(limit_ns), own_(std::move(own)), rank_(rank_in(comm)) {
  std::vector<std::uint64_t> names(static_cast<std::size_t>(size_of(comm)));
  must(MPI_Allgather(&own_.name, 1, MPI_UINT64_T, names.data(), 1, MPI_UINT64_T, comm));
  plan(names);
}

// The tree of HCA3 over the ranks that speak: with 2^k of them, in step i = k .. 1 those whose number is a multiple of
// 2^i answer the one 2^(i-1) behind them; then each beyond 2^k learns from the one 2^k before it.
void SharedClock::plan(const std::vector<std::uint64_t>& names) {
  std::vector<int> speakers;
  std::vector<std::uint64_t> seen;
  for (std::size_t r = 0; r < names.size(); ++r) {
    const auto known = std::find(seen.begin(), seen.end(), names[r]);
    const int rank = static_cast<int>(r);
    if (known == seen.end()) {
      seen.push_back(names[r]);
      speakers.push_back(rank);
    } else if (const int speaker = speakers[static_cast<std::size_t>(known - seen.begin())]; speaker == rank_) {
      listeners_.push_back(rank);
    }
    if (rank == rank_)
      speaker_ = speakers[static_cast<std::size_t>(std::find(seen.begin(), seen.end(), names[r]) - seen.begin())];
  }
  if (speaker_ != rank_) return;
  const std::size_t number = speakers.size();
  const auto own = static_cast<std::size_t>(std::find(speakers.begin(), speakers.end(), rank_) - speakers.begin());
  std::size_t whole = 1;
  while (whole * 2 <= number) whole *= 2;
  for (std::size_t distance = whole; own < whole && distance > 1; distance /= 2) {
    if (own % distance == 0) steps_.push_back({speakers[own + distance / 2], false});
    if (own % distance == distance / 2) steps_.push_back({speakers[own - distance / 2], true});
  }
  if (own < whole && own + whole < number) steps_.push_back({speakers[own + whole], false});
  if (own >= whole) steps_.push_back({speakers[own - whole], true});
}

void SharedClock::synchronise() {
  if (speaker_ != rank_) {
    line_ = told_by(speaker_);
    return;
  }
  for (const Step& step : steps_) {
    if (step.asks)
      compare_with(step.partner);
    else
      answer(step.partner);
  }
  for (const int listener : listeners_) tell(listener);
}

// Own clocks are compared with own clocks, of which the difference is a line; the partner's own line comes behind.
void SharedClock::compare_with(int partner) {
  clocks::Burst burst;
  std::int64_t best = INT64_MAX;
  for (int made = 0, idle = 0; made < kMostExchanges && idle < kWithoutGain; ++made) {
    if (made >= kFewestExchanges && static_cast<double>(best) <= limit_ns_) break;
    clocks::Exchange exchange;
    exchange.sent = own_.read();
    send_numbers({1}, partner, comm_);
    const auto answer = receive_numbers<2>(partner, comm_);
    exchange.received = own_.read();
    exchange.taken = answer[0];
    exchange.answered = answer[1];
    burst.push_back(exchange);
    const std::int64_t width = clocks::bounds_of(burst).half_width();
    idle = width < best ? 0 : idle + 1;
    best = std::min(best, width);
  }
  send_numbers({0}, partner, comm_);
  bursts_.push_back(clocks::tightest(burst, kKeptOfABurst));
  thin_out(bursts_);
  const Line partners = told_by(partner);
  const clocks::ClockFit fit =
      *clocks::fit_clock(bursts_, bursts_.front().front().sent, bursts_.back().back().received);
  const auto to_shared = [&](std::int64_t own) {
    const std::int64_t its = own + fit.difference(own);
    return its + partners.difference(its);
  };
  const std::int64_t first = to_shared(fit.begin) - fit.begin, last = to_shared(fit.end) - fit.end;
  line_ = {fit.begin, first, static_cast<double>(last - first) / static_cast<double>(fit.end - fit.begin),
           fit.uncertainty_ns + partners.bound_ns};
}

void SharedClock::answer(int partner) const {
  while (receive_numbers<1>(partner, comm_)[0] != 0) {
    const std::int64_t taken = own_.read();
    send_numbers({taken, own_.read()}, partner, comm_);
  }
  tell(partner);
}

void SharedClock::tell(int listener) const {
  must(MPI_Send(&line_, sizeof line_, MPI_BYTE, listener, kClockTag, comm_));
}

SharedClock::Line SharedClock::told_by(int speaker) const {
  Line line;
  must(MPI_Recv(&line, sizeof line, MPI_BYTE, speaker, kClockTag, comm_, MPI_STATUS_IGNORE));
  return line;
}

std::int64_t SharedClock::Line::difference(std::int64_t own) const {
  return offset + std::llround(drift * static_cast<double>(own - origin));
}

// The drift is at most 1e-3, so that the second guess is right to a thousandth of a thousandth of the offset's change.
std::int64_t SharedClock::own(std::int64_t shared) const {
  std::int64_t own = shared - line_.offset;
  for (int i = 0; i < 3; ++i) own = shared - line_.difference(own);
  return own;
}

double SharedClock::bound_ns() const {
  double worst = 0;
  must(MPI_Allreduce(&line_.bound_ns, &worst, 1, MPI_DOUBLE, MPI_MAX, comm_));
  return worst;
}

}  // namespace plumbline::bench
