#include "viewer/index/kept/index_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/files/mapped_file.hpp"
#include "base/files/output.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/index/pyramid/memory.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kVersion = 1;  // of the file and of what its bytes mean

struct Header {
  std::array<char, 8> magic = {'P', 'L', 'U', 'M', 'B', 'I', 'D', 'X'};
  std::uint32_t version = kVersion, byte_order = 0x01020304;
  std::uint64_t key = 0;  // index_key()
  std::uint64_t base_ps = 0;
  std::uint32_t stored_levels = 0, sources = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t content = 0;  // XXH3-64 of everything behind the header
};
static_assert(sizeof(Header) == 56);

// A file of a size that is known, mapped to be written.
class WrittenFile {
 public:
  WrittenFile(const fs::path& path, std::size_t bytes) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) throw_system_error(path, "cannot be created", errno);
    // A page without room behind it would end the process when it is written.
    int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    void* const memory = error == 0 ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (error == 0 && memory == MAP_FAILED) error = errno;
    ::close(file);
    if (error != 0) throw_system_error(path, "cannot be written", error);
    bytes_ = {static_cast<std::byte*>(memory), bytes};
  }
  ~WrittenFile() { ::munmap(bytes_.data(), bytes_.size()); }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

Header header_for(const Pyramid& pyramid, std::uint64_t key) {
  Header header;
  header.key = key;
  header.base_ps = pyramid.base_ps;
  header.stored_levels = pyramid.stored_levels;
  header.sources = static_cast<std::uint32_t>(pyramid.sources.size());
  header.file_bytes = sizeof header;
  for (const PyramidSource& source : pyramid.sources) header.file_bytes += bytes_of(pyramid, source);
  return header;
}

// One source's part of the bytes behind the header, which are shortened by it.
template <class Bytes>
Bytes take(Bytes& rest, std::uint64_t bytes) {
  const Bytes part = rest.first(bytes);
  rest = rest.subspan(bytes);
  return part;
}

void write_index(const Runs& runs, Pyramid& pyramid, std::uint64_t key, std::uint32_t jobs, const fs::path& path) {
  Header header = header_for(pyramid, key);
  StagedOutput output(path, StagedOutput::Kind::kFile, Overwrite::kYes);
  {
    const WrittenFile file(output.staging(), header.file_bytes);
    const std::span<std::byte> body = file.bytes().subspan(sizeof header);
    std::span<std::byte> rest = body;
    for (PyramidSource& source : pyramid.sources) {
      const std::span<std::byte> part = take(rest, bytes_of(pyramid, source));
      lay_out(pyramid, source, part);
      fill(runs, pyramid, source, jobs, part);
    }
    header.content = XXH3_64bits(body.data(), body.size());
    std::memcpy(file.bytes().data(), &header, sizeof header);
  }
  output.commit();
}

// Whether the pyramid, which was planned, now lies in that file.
bool read_index(Pyramid& pyramid, std::uint64_t key, const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  auto file = std::make_shared<const MappedFile>(path);
  const std::span<const std::byte> bytes = file->bytes();
  Header wanted = header_for(pyramid, key);
  if (bytes.size() != wanted.file_bytes) return false;
  std::span<const std::byte> rest = bytes.subspan(sizeof wanted);
  wanted.content = XXH3_64bits(rest.data(), rest.size());
  if (std::memcmp(bytes.data(), &wanted, sizeof wanted) != 0) return false;
  file->leave(0, bytes.size());  // a view needs little of it
  for (PyramidSource& source : pyramid.sources) {
    lay_out(pyramid, source, take(rest, bytes_of(pyramid, source)));
    source.memory = file;
  }
  return true;
}

bool can_read(Pyramid& pyramid, std::uint64_t key, const fs::path& path) {
  try {
    return read_index(pyramid, key, path);
  } catch (const Error&) {  // not readable for us: made again
    return false;
  }
}

bool can_write(const Runs& runs, Pyramid& pyramid, std::uint64_t key, std::uint32_t jobs, const fs::path& path) {
  try {
    write_index(runs, pyramid, key, jobs, path);
    return read_index(pyramid, key, path);
  } catch (const Error&) {  // there is another place
    return false;
  }
}

template <class T>
void add(XXH3_state_t* hash, const T* records, std::size_t count) {
  XXH3_64bits_update(hash, &count, sizeof count);
  if (count > 0) XXH3_64bits_update(hash, records, count * sizeof(T));
}

template <class T>
void add(XXH3_state_t* hash, const KeptColumn<T>& column) {
  add(hash, column.data(), column.size());
}

std::optional<fs::path> cache_of_user() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "plumbline";
  if (home != nullptr && *home == '/') return fs::path(home) / ".cache" / "plumbline";
  return std::nullopt;
}

}  // namespace

std::uint64_t index_key(const Runs& runs) {
  struct FreeHash {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  const std::unique_ptr<XXH3_state_t, FreeHash> hash(XXH3_createState());
  XXH3_64bits_reset(hash.get());
  const std::array<std::uint64_t, 3> head = {runs.observed.content_key(), runs.is_compared() ? 1U : 0U,
                                             static_cast<std::uint64_t>(runs.reference)};
  add(hash.get(), head.data(), head.size());
  for (const KeptColumn<std::uint8_t>& marks : runs.marks) add(hash.get(), marks);
  if (!runs.is_compared()) return XXH3_64bits_digest(hash.get());
  for (const replay::ExpectedRank& rank : runs.expected->ranks) {
    add(hash.get(), rank.free);
    add(hash.get(), rank.not_judged);
    for (const KeptColumn<Duration>* column : {&rank.lower, &rank.upper, &rank.band}) add(hash.get(), *column);
  }
  return XXH3_64bits_digest(hash.get());
}

std::vector<fs::path> cache_places(const fs::path& anchor, const fs::path& name) {
  const fs::path absolute = fs::absolute(anchor).lexically_normal();
  std::vector<fs::path> places = {absolute.parent_path() / name};
  const std::optional<fs::path> cache = cache_of_user();
  if (!cache) return places;
  const XXH128_hash_t hash = XXH3_128bits(absolute.c_str(), absolute.native().size());
  places.push_back(*cache / fmt::format("{:016x}{:016x}{}", hash.high64, hash.low64, name.extension().string()));
  return places;
}

std::vector<fs::path> index_places(const fs::path& observed_anchor) {
  return cache_places(observed_anchor, "plumbline.index");
}

Pyramid stored_pyramid(const Runs& runs, std::span<const fs::path> places, const IndexOptions& options, bool* made) {
  const std::uint64_t key = options.key ? *options.key : index_key(runs);
  Pyramid pyramid = plan_pyramid(runs, options.pyramid);
  if (made != nullptr) *made = false;
  for (const fs::path& path : places)
    if (can_read(pyramid, key, path)) return pyramid;
  if (made != nullptr) *made = true;
  for (const fs::path& path : places) {
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    if (can_write(runs, pyramid, key, options.pyramid.jobs, path)) return pyramid;
  }
  return make_pyramid(runs, options.scratch, options.pyramid);
}

}  // namespace plumbline::viewer
