#include "bench/ranks/runtime/recorder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "bench/library/mpi_calls.hpp"

namespace plumbline::bench {

Recorder::Recorder(const std::string& path, std::map<std::string, std::string> words)
    : begin_ns_(now_ns()), words_(std::move(words)) {
  if (path.empty()) return;
  file_ = std::fopen(path.c_str(), "wb");
  if (file_ == nullptr) throw_system_error(path, "cannot be written", errno);
}

Recorder::~Recorder() {
  if (file_ != nullptr) std::fclose(file_);
}

double Recorder::elapsed() const { return static_cast<double>(now_ns() - begin_ns_) * 1e-9; }

void Recorder::begin(const Run& run) {
  if (file_ != nullptr) write_run(file_, run);
}

void Recorder::begin_request(bool keep_ranks) {
  keep_ranks_ = keep_ranks;
  previous_s_ = elapsed();
}

void Recorder::give(Cell cell) {
  if (file_ == nullptr) return;
  cell.position = position_++;
  cell.began_s = std::exchange(previous_s_, elapsed());
  cell.flags.resize(cell.seconds.size());
  if (!keep_ranks_) cell.of_ranks.clear();
  for (const auto& [name, word] : words_) cell.words[name] = word;
  std::erase_if(cell.numbers, [](const auto& number) { return !std::isfinite(number.second); });  // no JSON
  write_cell(file_, cell);
}

void Recorder::note(std::string_view text) {
  if (file_ != nullptr && !text.empty()) write_note(file_, text);
}

void Recorder::expect(double seconds) {
  if (file_ != nullptr) write_expect(file_, seconds);
}

void Recorder::done(std::uint32_t request) {
  if (file_ != nullptr) write_done(file_, request);
}

void Recorder::end(const Run& run) {
  if (file_ != nullptr) write_end(file_, run);
}

}  // namespace plumbline::bench
