#pragma once
// A spool of any length of one process, as the tracer would leave it: segment after segment, packed records.
// Ticks are nanoseconds.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tracer/spool_builder.hpp"

namespace plumbline::record::test {

class LongSpool {
 public:
  enum Function : std::uint16_t { kSendrecv = 1, kIrecv, kIsend, kWaitall, kPwrite, kOpen, kBcast, kSend };

  explicit LongSpool(const std::filesystem::path& directory, std::int32_t rank = 0, std::int32_t ranks = 1)
      : path_(directory / ("kn1." + std::to_string(100 + rank) + ".spool")) {
    SpoolBuilder first(rank, ranks);
    first.function("MPI_Sendrecv", PL_LAYOUT_SENDRECV);
    first.function("MPI_Irecv", PL_LAYOUT_RECV);
    first.function("MPI_Isend", PL_LAYOUT_SEND);
    first.function("MPI_Waitall", PL_LAYOUT_WAIT);
    first.function("pwrite", PL_LAYOUT_POSIX_ACCESS);
    first.function("open", PL_LAYOUT_POSIX_OPEN);
    first.function("MPI_Bcast", PL_LAYOUT_COLLECTIVE);
    first.function("(inner send)", PL_LAYOUT_INNER_MESSAGE);
    first.define_text(PL_DEF_FILE, pair(1, 0), "/data/out");
    for (std::uint32_t site = 1; site <= kSites; ++site) first.define(PL_DEF_SITE, {site, 0x1000 + 16 * site});
    first.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, 2), 5});
    out_.open(path_, std::ios::binary);
    out_ << first.bytes();
  }

  void sendrecv() { put(kSendrecv, true, {pair(5, 5), pair(8, 8), std::uint64_t{1} << 48}); }

  // Three operations.
  void exchange() {
    put(kIrecv, false, {pair(0, 5), 8, pair(1, ++request_)});
    put(kIsend, false, {pair(0, 5), 8, pair(1, ++request_)});
    put(kWaitall, true, {pair(2, 0), pair(request_ - 1, request_), PL_MARK_MESSAGE | PL_MARK_SEND << 4});
  }

  void pwrite() { put(kPwrite, true, {pair(5 | (PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT) << 16, 8), offset_ += 8, 8}); }

  // With two messages inside, one of which is complete much later. One operation.
  void bcast() {
    put(kBcast, false, {pair(1, 0), 8, 8});
    const std::uint64_t at = now_ - 40;
    for (const std::uint64_t taken : {10, 10'000}) {
      put(kSend, false, {pair(0, -27), 8, pair(3, ++message_)});
      words_[words_.size() - 5] = at;
      words_[words_.size() - 4] = at + taken;
      now_ -= 150;
      --operations_;
    }
  }

  std::uint64_t operations() const { return operations_; }

  std::filesystem::path finish() {
    write_segment();
    out_.close();
    return path_;
  }

 private:
  static constexpr std::uint32_t kSites = 8;

  void put(Function function, bool packed, const std::vector<std::uint64_t>& payload) {
    if (words_.size() + 3 + payload.size() > PL_SEGMENT_BYTES / 8 - 8) write_segment();
    if (words_.empty()) words_ = {PL_SEGMENT_MAGIC, ++index_};
    const std::uint64_t state = (packed ? PL_PACKED : 0) | (1 + operations_ % kSites) << 2 | PL_DONE;
    words_.push_back(function | payload.size() << 16 | state << 32);
    words_.push_back(now_ += 100);
    words_.push_back(now_ += 50);
    words_.insert(words_.end(), payload.begin(), payload.end());
    ++operations_;
  }

  void write_segment() {
    words_.resize(PL_SEGMENT_BYTES / 8, 0);
    out_.write(reinterpret_cast<const char*>(words_.data()), PL_SEGMENT_BYTES);
    words_.clear();
  }

  std::filesystem::path path_;
  std::ofstream out_;
  std::vector<std::uint64_t> words_;
  std::uint64_t index_ = 0, now_ = 10'000, operations_ = 0, offset_ = 0;
  std::uint32_t request_ = 0, message_ = 0;
};

}  // namespace plumbline::record::test
