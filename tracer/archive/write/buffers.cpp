#include "tracer/archive/write/buffers.hpp"

#include <iterator>
#include <new>
#include <utility>

namespace plumbline::archive {
namespace {

constexpr std::size_t kMostEventChunks = 2;

}  // namespace

struct WriteBuffers::Buffer {
  std::vector<Chunk> all;
  std::size_t used = 0;
};

WriteBuffers::Chunk WriteBuffers::take(OTF2_FileType type, std::uint64_t size) {
  if (type != OTF2_FILETYPE_EVENTS || spare_.empty()) return std::make_unique_for_overwrite<std::byte[]>(size);
  Chunk chunk = std::move(spare_.back());  // those for events have one size
  spare_.pop_back();
  return chunk;
}

// libotf2 is C: nothing may be thrown through it.
void* WriteBuffers::allocate(void* self, OTF2_FileType type, OTF2_LocationRef, void** buffer,
                             std::uint64_t size) noexcept try {
  if (*buffer == nullptr) *buffer = new Buffer;
  Buffer& chunks = *static_cast<Buffer*>(*buffer);
  if (type == OTF2_FILETYPE_EVENTS && chunks.used == kMostEventChunks) return nullptr;  // then it is flushed
  if (chunks.used == chunks.all.size()) chunks.all.push_back(static_cast<WriteBuffers*>(self)->take(type, size));
  return chunks.all[chunks.used++].get();
} catch (const std::bad_alloc&) {
  return nullptr;
}

void WriteBuffers::free_all(void* self, OTF2_FileType type, OTF2_LocationRef, void** buffer, bool final) noexcept {
  auto* chunks = static_cast<Buffer*>(*buffer);
  if (chunks == nullptr) return;
  chunks->used = 0;
  if (!final) return;
  if (type == OTF2_FILETYPE_EVENTS)
    std::move(chunks->all.begin(), chunks->all.end(), std::back_inserter(static_cast<WriteBuffers*>(self)->spare_));
  delete chunks;
  *buffer = nullptr;
}

OTF2_ErrorCode WriteBuffers::use_for(OTF2_Archive* archive) {
  static const OTF2_MemoryCallbacks kMemory = {allocate, free_all};
  return OTF2_Archive_SetMemoryCallbacks(archive, &kMemory, this);
}

}  // namespace plumbline::archive
