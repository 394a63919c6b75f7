#pragma once
// What a run has written so far, for showing how far it is. What it measured is read behind its end (stream.hpp).

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace plumbline::bench {

class StreamTail {
 public:
  explicit StreamTail(std::filesystem::path stream) : path_(std::move(stream)) {}

  // Looks for new records; whether the file has grown since the last look. No file yet is no news.
  bool look();

  std::uint32_t done() const { return done_; }  // requests
  bool begun() const { return records_ > 0; }
  double expected_s() const { return expected_s_; }  // that the request in hand may take before it tells anything

 private:
  bool take_record();

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t size_ = 0, at_ = 0;  // of the file as last seen; behind the last whole record
  std::uint64_t records_ = 0;
  std::uint32_t done_ = 0;
  double expected_s_ = 0;
};

}  // namespace plumbline::bench
