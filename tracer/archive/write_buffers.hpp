#pragma once
// Memory of OTF2's writers. Left to itself libotf2 keeps all events of a location in memory until that is closed; a
// buffer that gets no further chunk is written to its file and begun again.

#include <otf2/otf2.h>

namespace plumbline::archive {

// To be called before the archive's files are opened.
OTF2_ErrorCode limit_write_buffers(OTF2_Archive* archive);

}  // namespace plumbline::archive
