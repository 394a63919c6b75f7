#include "replay/program/compile/shared_archive.hpp"

namespace plumbline::replay {
namespace {

thread_local archive::Reader* opened = nullptr;

}  // namespace

SharedArchive::SharedArchive(archive::Reader& reader) { opened = &reader; }

SharedArchive::~SharedArchive() { opened = nullptr; }

archive::Reader& reader_of(const std::filesystem::path& anchor, std::optional<archive::Reader>& own) {
  return opened != nullptr && opened->anchor() == anchor ? *opened : own.emplace(anchor);
}

}  // namespace plumbline::replay
