#pragma once
// Memory of OTF2's writers. Left to itself libotf2 keeps all events of a location in memory until that is closed; a
// buffer that gets no further chunk is written to its file and begun again.

#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace plumbline::archive {

// libotf2 clears a whole chunk when it opens and when it closes a location, however few its events, and readers do the
// same: so the smallest that there is.
inline constexpr std::uint64_t kEventChunk = OTF2_CHUNK_SIZE_MIN;

// Must outlive the archive that uses it.
class WriteBuffers {
 public:
  // To be called before the archive's files are opened.
  OTF2_ErrorCode use_for(OTF2_Archive* archive);

 private:
  using Chunk = std::unique_ptr<std::byte[]>;
  struct Buffer;

  static void* allocate(void* self, OTF2_FileType type, OTF2_LocationRef, void** buffer, std::uint64_t size) noexcept;
  static void free_all(void* self, OTF2_FileType type, OTF2_LocationRef, void** buffer, bool final) noexcept;

  Chunk take(OTF2_FileType type, std::uint64_t size);

  // For events, of locations that are closed: fresh memory would have to be zeroed by the system each time.
  std::vector<Chunk> spare_;
};

}  // namespace plumbline::archive
