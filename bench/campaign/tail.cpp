#include "bench/campaign/tail.hpp"

#include <nlohmann/json.hpp>

namespace plumbline::bench {

bool StreamTail::look() {
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(path_, failed);
  if (failed || size == size_) return false;
  size_ = size;
  if (!file_.is_open()) file_.open(path_, std::ios::binary);
  while (take_record()) {
  }
  return true;
}

bool StreamTail::take_record() {
  if (at_ >= size_) return false;
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(at_));
  std::string line;
  if (!std::getline(file_, line) || file_.eof()) return false;
  const nlohmann::json record = nlohmann::json::parse(line, nullptr, false);
  if (!record.is_object() || !record.contains("kind")) return false;
  const auto values = record.find("values");
  const std::uint64_t arrays =
      values != record.end() && values->is_number_unsigned() ? values->get<std::uint64_t>() : 0;
  const std::uint64_t end = at_ + line.size() + 1 + arrays + 1;
  if (end > size_ || end < at_) return false;
  at_ = end;
  ++records_;
  expected_s_ = record["kind"] == "expect" ? record.value("seconds", 0.0) : 0;
  if (record["kind"] == "done") ++done_;
  return true;
}

}  // namespace plumbline::bench
