#include "tracer/archive/write_buffers.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace plumbline::archive {
namespace {

constexpr std::size_t kMostEventChunks = 2;  // of OTF2_CHUNK_SIZE_EVENTS_DEFAULT, 1 MiB

// Of one buffer. What was written is used again: fresh memory would have to be zeroed by the system each time.
struct Chunks {
  std::vector<std::unique_ptr<std::byte[]>> all;
  std::size_t used = 0;
};

// libotf2 is C: nothing may be thrown through it.
void* allocate(void*, OTF2_FileType type, OTF2_LocationRef, void** buffer, std::uint64_t size) noexcept {
  if (*buffer == nullptr) *buffer = new Chunks;
  Chunks& chunks = *static_cast<Chunks*>(*buffer);
  if (type == OTF2_FILETYPE_EVENTS && chunks.used == kMostEventChunks) return nullptr;  // then it is flushed
  if (chunks.used == chunks.all.size()) chunks.all.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
  return chunks.all[chunks.used++].get();
}

void free_all(void*, OTF2_FileType, OTF2_LocationRef, void** buffer, bool final) noexcept {
  auto* chunks = static_cast<Chunks*>(*buffer);
  if (chunks == nullptr) return;
  chunks->used = 0;
  if (!final) return;
  delete chunks;
  *buffer = nullptr;
}

}  // namespace

OTF2_ErrorCode limit_write_buffers(OTF2_Archive* archive) {
  static const OTF2_MemoryCallbacks kMemory = {allocate, free_all};
  return OTF2_Archive_SetMemoryCallbacks(archive, &kMemory, nullptr);
}

}  // namespace plumbline::archive
