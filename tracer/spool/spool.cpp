#include "tracer/spool/spool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.hpp"

namespace plumbline::spool {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kHeadWords = sizeof(pl_record) / kWord;
constexpr std::size_t kSegmentHeadWords = sizeof(pl_segment_header) / kWord;
static_assert(sizeof(pl_file_header) <= PL_HEADER_BYTES);
constexpr std::size_t kAhead = 128;  // words: some twenty records, which takes longer than memory does

struct Head {
  std::uint16_t function = 0, words = 0;
  std::uint32_t site = 0, state = 0;
  bool packed = false, polled = false;
  std::uint8_t error = 0;
};

Head head_of(std::uint64_t word) {
  const auto site_state = static_cast<std::uint32_t>(word >> 32);
  const auto function = static_cast<std::uint16_t>(word);
  const bool is_call = function < PL_DEFINITIONS;
  constexpr std::uint32_t kSite = (1u << PL_ERROR_SHIFT) - 1;
  return {function,
          static_cast<std::uint16_t>(word >> 16),
          (site_state & kSite) >> 2,
          site_state & 3u,
          is_call && (site_state & PL_PACKED) != 0,
          is_call && (site_state & PL_POLLED) != 0,
          static_cast<std::uint8_t>(site_state >> PL_ERROR_SHIFT & PL_ERROR_MASK)};
}

// Texts of the header always end inside their field.
template <std::size_t kSize>
void terminate(char (&text)[kSize]) {
  text[kSize - 1] = '\0';
}

std::span<const std::uint64_t> words_in(std::span<const std::byte> bytes) {
  // Mappings begin at page boundaries, so the words are aligned.
  return {reinterpret_cast<const std::uint64_t*>(bytes.data()), bytes.size() / kWord};
}

}  // namespace

Spool::Spool(const std::filesystem::path& path, Load load) : path_(path), file_(path), words_(words_in(file_.bytes())) {
  read_header();
  if (load == Load::kNow) this->load();
}

void Spool::load() {
  find_segments();
  put_in_order();
}

void Spool::read_header() {
  const std::span<const std::byte> bytes = file_.bytes();
  if (bytes.size() < sizeof header_.magic || std::memcmp(bytes.data(), PL_SPOOL_MAGIC, sizeof header_.magic) != 0) {
    throw Error(path_.string(), "is not a spool", "give the files that the tracer has written");
  }
  std::memcpy(&header_, bytes.data(), std::min(bytes.size(), sizeof header_));
  if (bytes.size() < PL_HEADER_BYTES) {
    throw Error(path_.string(), fmt::format("is cut off within its header of {} bytes", PL_HEADER_BYTES),
                "copy it again, or leave it out");
  }
  if (header_.version < PL_OLDEST_SPOOL_VERSION || header_.version > PL_SPOOL_VERSION) {
    throw Error(path_.string(),
                fmt::format("is a spool of version {}, this reads {} to {}", header_.version, PL_OLDEST_SPOOL_VERSION,
                            PL_SPOOL_VERSION),
                "use the plumbline that recorded it");
  }
  if (header_.header_bytes != PL_HEADER_BYTES || header_.segment_bytes != PL_SEGMENT_BYTES) {
    throw Error(path_.string(), "has a damaged header: wrong sizes", "copy it again, or leave it out");
  }
  terminate(header_.boot_id);
  terminate(header_.host);
  terminate(header_.stop_reason);
  terminate(header_.library);
  terminate(header_.program);
  if (header_.lost_records > 0) remarks_.push_back(fmt::format("{} records were lost", header_.lost_records));
}

constexpr std::size_t kSegmentWords = PL_SEGMENT_BYTES / kWord;

void Spool::find_segments() {
  const std::size_t whole = file_.bytes().size() - PL_HEADER_BYTES;
  const std::size_t count = (whole + PL_SEGMENT_BYTES - 1) / PL_SEGMENT_BYTES;
  // Every thread has a segment, so there are no more threads than segments; unless they have given way.
  constexpr std::size_t kMostThreads = 1U << 20;
  const std::size_t threads = keeps_last() ? std::min<std::size_t>(header_.writers, kMostThreads) : count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = PL_HEADER_BYTES / kWord + i * kSegmentWords;
    const std::size_t end = std::min(first + kSegmentWords, words_.size());
    if (end - first < kSegmentHeadWords) {
      remarks_.push_back(fmt::format("segment {} is cut off within its head", i));
      continue;
    }
    add_segment(i, first, end, static_cast<std::uint32_t>(threads));
  }
  if (segments_.empty() && !definitions_.empty()) segments_.resize(1);
}

void Spool::add_segment(std::size_t number, std::size_t first, std::size_t end, std::uint32_t most_threads) {
  pl_segment_header head;
  std::memcpy(&head, &words_[first], sizeof head);
  if (head.magic == 0) return;  // allocated, or about to be used again, and then the process ended
  const bool has_definitions = head.kind == PL_SEGMENT_DEFINITIONS && keeps_last();
  const bool has_records = head.kind == PL_SEGMENT_RECORDS && head.thread < most_threads;
  if (head.magic != PL_SEGMENT_MAGIC || !(has_definitions || has_records)) {
    remarks_.push_back(fmt::format("segment {} has a damaged head; its records are left out", number));
    return;
  }
  if (has_records && head.thread >= segments_.size()) segments_.resize(head.thread + 1);
  Segment segment{head.index, first + kSegmentHeadWords, end};
  check_records(segment, head.thread);
  (has_definitions ? definitions_ : segments_[head.thread]).push_back(segment);
  if (end - first < kSegmentWords) remarks_.push_back(fmt::format("segment {} is cut off", number));
}

// Shortens the segment to what is sound.
void Spool::check_records(Segment& segment, std::uint32_t thread) {
  std::size_t at = segment.first;
  const char* fault = nullptr;
  while (at < segment.end && words_[at] != 0) {
    __builtin_prefetch(&words_[at] + kAhead);
    const Head head = head_of(words_[at]);
    const std::size_t left = segment.end - at;
    if (head.function == 0) {
      fault = "a record without a function";
    } else if (head.state != PL_BEGUN && head.state != PL_DONE) {
      fault = "a record in no state";
    } else if (left < kHeadWords || left - kHeadWords < head.words) {
      fault = "a record that reaches beyond its segment";
    }
    if (fault != nullptr) break;
    const std::span<const std::uint64_t> payload = words_.subspan(at + kHeadWords, head.words);
    if (head.function == PL_DEF_FUNCTION) unpacker_.define_function(payload);
    if (head.packed) unpacker_.note_vectors(head.function, payload);
    at += kHeadWords + head.words;
  }
  segment.end = at;
  leave(segment);
  if (fault != nullptr) {
    remarks_.push_back(fmt::format("thread {}, segment {}: {} at byte {}; the rest of the segment is left out", thread,
                                   segment.index, fault, at * kWord));
  }
}

void Spool::put_in_order() {
  const auto by_index = [](const Segment& a, const Segment& b) { return a.index < b.index; };
  std::stable_sort(definitions_.begin(), definitions_.end(), by_index);
  dropped_calls_ = keeps_last() ? header_.dropped_calls : 0;
  dropped_segments_ = keeps_last() ? header_.dropped_segments : 0;
  for (std::uint32_t thread = 0; thread < segments_.size(); ++thread) {
    std::stable_sort(segments_[thread].begin(), segments_[thread].end(), by_index);
    if (keeps_last())
      keep_suffix(segments_[thread]);
    else
      require_all(thread);
  }
}

// A run of polls: the call that ended it, and what else there is to tell.
Record Spool::take_apart(Record record, Packed packed, std::vector<std::uint64_t>& unpacked, PollRun& polls) const {
  const std::span<const std::uint64_t> payload = record.payload;
  Unpacker::Call call{record.function, record.site};
  record.payload = {};
  record.unpacked = true;
  if (packed != Packed::kUnpack || !unpacker_.unpack_run(call, payload, unpacked, polls)) return record;
  record.function = call.function;
  record.site = call.site;
  record.payload = unpacked;
  record.polls = &polls;
  return record;
}

Record Spool::record_at(std::size_t& at, Packed packed, std::vector<std::uint64_t>& unpacked, PollRun& polls) const {
  __builtin_prefetch(&words_[at] + kAhead);
  const Head head = head_of(words_[at]);
  Record record{.function = head.function,
                .site = head.site,
                .done = head.state == PL_DONE,
                .unpacked = head.packed,
                .error = head.error,
                .begin = words_[at + 1],
                .end = words_[at + 2],
                .payload = words_.subspan(at + kHeadWords, head.words),
                .file_bytes = static_cast<std::uint32_t>((kHeadWords + head.words) * kWord)};
  at += kHeadWords + head.words;
  if (head.polled) return take_apart(record, packed, unpacked, polls);
  if (!head.packed) return record;
  const bool can_be_told =
      packed == Packed::kUnpack && unpacker_.unpack(head.function, record.done, record.payload, unpacked);
  record.payload = can_be_told ? std::span<const std::uint64_t>(unpacked) : std::span<const std::uint64_t>{};
  return record;
}

void Spool::leave(const Segment& segment) const {
  file_.leave(segment.first * kWord, (segment.end - segment.first) * kWord);
}

bool Spool::for_each_before(std::uint64_t ticks, std::uint32_t thread, Place& place,
                            const std::function<void(const Record&)>& visit) const {
  if (thread >= segments_.size()) return false;
  const std::vector<Segment>& segments = segments_[thread];
  std::vector<std::uint64_t> unpacked;
  PollRun polls;
  for (; place.segment < segments.size(); ++place.segment, place.word = 0) {
    const Segment& segment = segments[place.segment];
    if (place.word < segment.first) place.word = segment.first;
    while (place.word < segment.end) {
      std::size_t next = place.word;
      const Record record = record_at(next, Packed::kUnpack, unpacked, polls);
      if (record.begin >= ticks) return true;
      visit(record);
      place.word = next;
    }
  }
  return false;
}

void Spool::require_all(std::uint32_t thread) {
  const std::vector<Segment>& own = segments_[thread];
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].index == i) continue;
    remarks_.push_back(fmt::format("thread {}: segment {} is missing or there twice", thread, i));
    return;
  }
}

// One that could not give way when it was the oldest, because it held a call in progress, stands before a hole.
void Spool::keep_suffix(std::vector<Segment>& own) {
  std::size_t first = own.empty() ? 0 : own.size() - 1;
  while (first > 0 && own[first - 1].index + 1 == own[first].index) --first;
  const auto end = own.begin() + static_cast<std::ptrdiff_t>(first);
  for (Cursor at(*this, {own.data(), first}, Packed::kLeaveOut); !at.is_at_end(); at.advance())
    dropped_calls_ += at.record().function < PL_DEFINITIONS ? 1 : 0;
  dropped_segments_ += first;
  own.erase(own.begin(), end);
}

bool Spool::lacks_beginning(std::uint32_t thread) const {
  if (!keeps_last() || thread >= segments_.size()) return false;
  const std::vector<Segment>& own = segments_[thread];
  return own.empty() ? dropped_segments_ > 0 : own.front().index > 0;
}

namespace {

// Order in a list of spools: world rank, unknown ones last.
std::pair<std::uint32_t, std::string> order_of(const std::filesystem::path& path) {
  pl_file_header header{};
  header.world_rank = -1;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
  return {static_cast<std::uint32_t>(header.world_rank), path.string()};
}

}  // namespace

std::vector<std::filesystem::path> find_spools(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::pair<std::uint32_t, std::string>> found;
  std::filesystem::recursive_directory_iterator entry(directory, error), last;
  if (error) throw Error(directory.string(), "cannot be searched for spools: " + error.message());
  for (; entry != last; ++entry) {
    if (entry->path().extension() == ".spool" && entry->is_regular_file()) found.push_back(order_of(entry->path()));
  }
  std::sort(found.begin(), found.end());
  std::vector<std::filesystem::path> paths;
  for (const auto& [rank, path] : found) paths.emplace_back(path);
  return paths;
}

std::string text_of(std::span<const std::uint64_t> words) {
  const auto* text = reinterpret_cast<const char*>(words.data());
  return {text, words.empty() ? 0 : strnlen(text, words.size() * kWord)};
}

}  // namespace plumbline::spool
