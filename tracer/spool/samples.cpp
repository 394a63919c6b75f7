#include "tracer/spool/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace plumbline::spool {
namespace {

constexpr std::size_t kSampleWord = sizeof(std::uint64_t);
constexpr std::size_t kHeaderWords = sizeof(pl_samples_header) / kSampleWord;
static_assert(sizeof(pl_samples_header) % kSampleWord == 0 && sizeof(pl_sample_record) == kSampleWord);

struct SampleHead {
  std::uint16_t kind, series;
  std::uint32_t words;
};

SampleHead sample_head_of(std::uint64_t word) {
  return {static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(word >> 16),
          static_cast<std::uint32_t>(word >> 32)};
}

// Up to the first record that is not whole: where the writer died, or the node.
std::span<const std::uint64_t> whole_records(std::span<const std::uint64_t> words) {
  std::size_t at = 0;
  while (at < words.size()) {
    const SampleHead head = sample_head_of(words[at]);
    if (head.kind == 0 || head.words > words.size() - at - 1) break;
    at += 1 + head.words;
  }
  return words.first(at);
}

}  // namespace

Samples::Samples(const std::filesystem::path& path) : path_(path), file_(path) {
  const std::span<const std::byte> bytes = file_.bytes();
  if (bytes.size() < sizeof header_ || std::memcmp(bytes.data(), PL_SAMPLES_MAGIC, sizeof header_.magic) != 0)
    throw Error(path_.string(), "holds no samples of a node", "leave it out");
  std::memcpy(&header_, bytes.data(), sizeof header_);
  if (header_.version != PL_SAMPLES_VERSION || header_.header_bytes != sizeof header_)
    throw Error(path_.string(),
                fmt::format("holds samples of version {}, this reads {}", header_.version, PL_SAMPLES_VERSION),
                "use the plumbline that recorded it");
  header_.boot_id[sizeof header_.boot_id - 1] = header_.host[sizeof header_.host - 1] = '\0';
  // Mappings begin at page boundaries, so the words are aligned.
  const std::span words(reinterpret_cast<const std::uint64_t*>(bytes.data()), bytes.size() / kSampleWord);
  records_ = whole_records(words.subspan(kHeaderWords));
  for_each([this](const SampleRecord& record) { is_whole_ = record.kind == PL_SAMPLE_END; });
}

void Samples::for_each(const std::function<void(const SampleRecord&)>& visit) const {
  for (std::size_t at = 0; at < records_.size();) {
    const SampleHead head = sample_head_of(records_[at]);
    visit({head.kind, head.series, records_.subspan(at + 1, head.words)});
    at += 1 + head.words;
  }
}

std::vector<std::filesystem::path> find_samples(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  std::filesystem::recursive_directory_iterator entry(directory, error), last;
  if (error) throw Error(directory.string(), "cannot be searched for samples: " + error.message());
  for (; entry != last; ++entry)
    if (entry->path().extension() == ".samples" && entry->is_regular_file()) found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace plumbline::spool
