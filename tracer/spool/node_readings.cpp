#include "tracer/spool/node_readings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/files/text_file.hpp"

namespace plumbline::spool {
namespace {

constexpr std::size_t kMostBytes = 2 * std::size_t{PL_NODE_MOST} + 4096;

std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<std::uint64_t> number_in(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  return fault == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(take_until(text, '\n'));
  return lines;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  // Until an entry is none, or is not whole.
  NodeReadings readings() {
    while (text_.find('\n') != std::string_view::npos) {
      std::string_view line = take_until(text_, '\n');
      const std::string_view kind = take_until(line, ' '), second = take_until(line, ' ');
      if (!(kind == "reading" ? begin(second, line) : entry(kind, second, line))) break;
    }
    return std::move(readings_);
  }

 private:
  bool begin(std::string_view when, std::string_view realtime) {
    const auto ns = number_in(realtime);
    if (!ns || (when != "begin" && when != "end")) return false;
    reading_ = &(when == "begin" ? readings_.begin : readings_.end).emplace();
    reading_->realtime_ns = *ns;
    return true;
  }

  bool entry(std::string_view kind, std::string_view second, std::string_view rest) {
    const auto number = number_in(second);
    if (reading_ == nullptr || !number) return false;
    if (kind == "done") return finish(*number, rest);
    std::string path(rest);
    if (kind == "none" || kind == "long") {
      reading_->copy.unreadable[std::move(path)] =
          kind == "none" ? std::strerror(static_cast<int>(std::min<std::uint64_t>(*number, 4096)))
                         : fmt::format("longer than {} KiB", PL_NODE_MOST_FILE / 1024);
      return true;
    }
    if (*number >= text_.size() || text_[*number] != '\n') return false;  // broken off within it
    const std::string_view content = text_.substr(0, *number);
    text_.remove_prefix(*number + 1);
    if (kind == "file")
      reading_->copy.files[std::move(path)] = content;
    else if (kind == "link")
      reading_->copy.links[std::move(path)] = content;
    else if (kind == "names")
      reading_->copy.lists[std::move(path)] = lines_in(content);
    return true;  // what a later tracer may add is passed over
  }

  bool finish(std::uint64_t stopped, std::string_view took) {
    const auto ns = number_in(took);
    if (!ns || stopped > PL_NODE_OUT_OF_ROOM) return false;
    reading_->stopped = static_cast<pl_node_stop>(stopped);
    reading_->took_ns = *ns;
    reading_->is_whole = true;
    reading_ = nullptr;
    return true;
  }

  std::string_view text_;
  NodeReadings readings_;
  NodeReading* reading_ = nullptr;
};

}  // namespace

NodeReadings parse_node_readings(std::string_view text) { return Parser(text).readings(); }

NodeReadings node_readings_beside(const std::filesystem::path& spool) {
  std::filesystem::path path = spool;
  path.replace_extension(PL_NODE_SUFFIX);
  std::error_code gone;
  if (!std::filesystem::is_regular_file(path, gone)) return {};
  try {
    return parse_node_readings(read_text_file(path, "", kMostBytes));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace plumbline::spool
