#include "viewer/index/kept/kept_file.hpp"

#include <xxhash.h>

#include <array>
#include <cerrno>
#include <fstream>

#include "base/error.hpp"
#include "base/files/output.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAlignment = 64;

struct KeptHeader {
  std::array<char, 8> magic = {'P', 'L', 'U', 'M', 'B', 'K', 'P', 'T'};
  std::uint32_t version = 0, byte_order = 0x01020304;
  KeptKey key;
  std::uint64_t file_bytes = 0, fields = 0;
  std::uint64_t content = 0;
  std::uint64_t reserved = 0;
};
static_assert(sizeof(KeptHeader) == kAlignment);

constexpr std::uint64_t aligned(std::uint64_t place) { return (place + kAlignment - 1) / kAlignment * kAlignment; }

// Writes bytes behind the header, and hashes them.
class Body {
 public:
  explicit Body(std::ofstream& out) : out_(out) { XXH3_64bits_reset(hash_.get()); }

  void put(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    XXH3_64bits_update(hash_.get(), bytes.data(), bytes.size());
    out_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    at_ += bytes.size();
  }
  void fill_to(std::uint64_t place) {
    static constexpr std::array<std::byte, kAlignment> kZeros{};
    put(std::span(kZeros).first(place - at_));
  }
  std::uint64_t hash() const { return XXH3_64bits_digest(hash_.get()); }

 private:
  struct FreeHash {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  std::ofstream& out_;
  std::uint64_t at_ = sizeof(KeptHeader);
  std::unique_ptr<XXH3_state_t, FreeHash> hash_{XXH3_createState()};
};

}  // namespace

void KeptFileWriter::text(const std::string& text) {
  value(std::uint64_t{text.size()});
  append(std::as_bytes(std::span(text)));
}

void KeptFileWriter::append(std::span<const std::byte> bytes) {
  fields_.insert(fields_.end(), bytes.begin(), bytes.end());
}

std::uint64_t KeptFileWriter::place_of(std::span<const std::byte> column) {
  const std::uint64_t hash = XXH3_64bits(column.data(), column.size());
  const auto [first, last] = known_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const std::span<const std::byte> other = columns_[known->second];
    const bool is_same = other.size() == column.size() &&
                         (column.empty() || std::memcmp(other.data(), column.data(), column.size()) == 0);
    if (is_same) return places_[known->second];
  }
  known_.emplace(hash, columns_.size());
  columns_.push_back(column);
  places_.push_back(aligned(end_ == 0 ? sizeof(KeptHeader) : end_));
  end_ = places_.back() + column.size();
  return places_.back();
}

void KeptFileWriter::write(const fs::path& path, std::uint32_t version, const KeptKey& key) const {
  StagedOutput output(path, StagedOutput::Kind::kFile, Overwrite::kYes);
  std::ofstream out(output.staging(), std::ios::binary | std::ios::trunc);
  KeptHeader header;
  header.version = version;
  header.key = key;
  header.fields = end_ == 0 ? sizeof header : end_;
  header.file_bytes = header.fields + fields_.size();
  out.seekp(sizeof header);
  Body body(out);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    body.fill_to(places_[i]);
    body.put(columns_[i]);
  }
  body.put(fields_);
  header.content = body.hash();
  out.seekp(0);
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  if (!out.flush()) throw_system_error(output.staging(), "cannot be written", errno);
  out.close();
  output.commit();
}

std::optional<KeptFileReader> KeptFileReader::open(const fs::path& path, std::uint32_t version, const KeptKey& key) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  try {
    KeptFileReader reader(std::make_shared<const MappedFile>(path));
    const std::span<const std::byte> bytes = reader.file_->bytes();
    if (bytes.size() < sizeof(KeptHeader)) return std::nullopt;
    KeptHeader found;
    std::memcpy(&found, bytes.data(), sizeof found);
    KeptHeader wanted;
    wanted.version = version;
    wanted.key = key;
    wanted.file_bytes = bytes.size();
    wanted.fields = found.fields;
    wanted.content = found.content;
    const bool is_ours = std::memcmp(&found, &wanted, sizeof wanted) == 0 && found.fields >= sizeof(KeptHeader) &&
                         found.fields <= bytes.size();
    if (!is_ours) return std::nullopt;
    const std::span<const std::byte> body = bytes.subspan(sizeof(KeptHeader));
    if (XXH3_64bits(body.data(), body.size()) != found.content) return std::nullopt;
    reader.columns_ = bytes.first(found.fields);
    reader.fields_ = bytes.subspan(found.fields);
    return reader;
  } catch (const Error&) {  // not readable for us
    return std::nullopt;
  }
}

std::span<const std::byte> KeptFileReader::take(std::size_t bytes) {
  if (bytes > fields_.size()) throw KeptFileEnds{};
  const std::span<const std::byte> taken = fields_.first(bytes);
  fields_ = fields_.subspan(bytes);
  return taken;
}

void KeptFileReader::text(std::string& text) {
  const std::span<const std::byte> bytes = take(count());
  text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::size_t KeptFileReader::count() {
  std::uint64_t count = 0;
  value(count);
  if (count > fields_.size()) throw KeptFileEnds{};
  return static_cast<std::size_t>(count);
}

std::span<const std::byte> KeptFileReader::column_at(std::uint64_t place, std::uint64_t count, std::size_t size) const {
  const bool is_inside =
      place % kAlignment == 0 && place <= columns_.size() && count <= (columns_.size() - place) / size;
  if (!is_inside) throw KeptFileEnds{};
  return columns_.subspan(place, count * size);
}

}  // namespace plumbline::viewer
