#include "base/files/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>

#include "base/check.hpp"
#include "base/error.hpp"
#include "base/files/unfinished.hpp"

namespace plumbline {
namespace {

namespace fs = std::filesystem;

// "OUT/" means "OUT", and a link means what it points to.
fs::path final_name(const fs::path& path) {
  if (path.empty()) throw Error("", "the output has no name", "give a path", ExitCode::kWrongUse);
  fs::path name = path.lexically_normal();
  if (!name.has_filename() && name.has_parent_path() && name != name.root_path()) name = name.parent_path();
  std::error_code ignored;
  if (fs::is_symlink(name, ignored)) {
    const fs::path target = fs::weakly_canonical(name, ignored);
    if (!target.empty()) return target;
  }
  return name;
}

fs::path directory_of(const fs::path& name) { return name.has_parent_path() ? name.parent_path() : fs::path("."); }

// Replacing removes what was there, so a directory that we stand in (or above us) is never replaced.
bool holds_working_directory(const fs::path& name) {
  std::error_code failed;
  const fs::path here = fs::canonical(fs::current_path(failed), failed);
  const fs::path there = fs::canonical(name, failed);
  if (failed) return false;
  const fs::path relative = here.lexically_relative(there);
  return !relative.empty() && *relative.begin() != "..";
}

void require_directory_for(const fs::path& name) {
  const fs::path directory = directory_of(name);
  std::error_code ignored;
  if (!fs::is_directory(directory, ignored))
    throw Error(name.string(), fmt::format("cannot be written: directory '{}' does not exist", directory.string()),
                "create it first");
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    throw Error(name.string(), fmt::format("cannot be written: directory '{}' is not writable", directory.string()),
                "choose another place");
}

fs::path unused_sibling(const fs::path& name, const char* suffix) {
  static std::atomic<unsigned> counter{0};
  while (true) {
    fs::path sibling = directory_of(name) /
                       fmt::format(".{}.{}-{}-{}", name.filename().string(), suffix, ::getpid(), counter.fetch_add(1));
    if (!fs::exists(fs::symlink_status(sibling))) return sibling;
  }
}

void write_all(const fs::path& path, std::string_view text, int flags) {
  const int file = ::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) throw_system_error(path, "cannot be opened for writing", errno);
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      error = errno;
  }
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) throw_system_error(path, "cannot be written", error);
}

}  // namespace

bool is_stream(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void require_writable(const fs::path& path, Overwrite overwrite) {
  if (is_stream(path)) return;
  const fs::path name = final_name(path);
  if (fs::exists(fs::symlink_status(name))) {
    if (overwrite == Overwrite::kNo) throw Error(path.string(), "already exists", "use --force to replace it");
    if (fs::is_directory(name) && holds_working_directory(name))
      throw Error(path.string(), "is or contains the working directory and is not replaced", "choose another name");
  }
  require_directory_for(name);
}

StagedOutput::StagedOutput(const fs::path& path, Kind kind, Overwrite overwrite) : path_(final_name(path)) {
  if (is_stream(path)) throw Error(path.string(), "is a pipe or a device", "name a file");
  require_writable(path, overwrite);
  if (kind == Kind::kFile && fs::is_directory(path_))
    throw Error(path.string(), "is a directory, and a file is to be written", "choose another name");
  if (kind == Kind::kDirectory && fs::exists(path_) && !fs::is_directory(path_))
    throw Error(path.string(), "is a file, and a directory is to be written", "choose another name");
  may_replace_ = overwrite == Overwrite::kYes;
  staging_ = unused_sibling(path_, "partial");
  if (kind == Kind::kDirectory && ::mkdir(staging_.c_str(), 0777) != 0)
    throw_system_error(staging_, "cannot be created", errno);
  note_unfinished(staging_.c_str());
}

StagedOutput::~StagedOutput() {
  if (!committed_) {
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
  }
  forget_unfinished(staging_.c_str());
}

void StagedOutput::commit() {
  PLUMBLINE_CHECK(!committed_, "an output is committed once");
  if (!fs::exists(staging_)) throw Error(path_.string(), "was not written");
  // RENAME_NOREPLACE closes the gap between the first look and now; a file system without it falls through.
  if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) {
    committed_ = true;
    return;
  }
  if (errno == EEXIST && !may_replace_)
    throw Error(path_.string(), "appeared while the output was written", "use --force to replace it");
  std::error_code ignored;
  const bool there = fs::exists(fs::symlink_status(path_, ignored));
  if (there && !may_replace_) throw Error(path_.string(), "already exists", "use --force to replace it");
  const bool aside_needed = there && (fs::is_directory(path_) || fs::is_directory(staging_));
  const fs::path aside = aside_needed ? unused_sibling(path_, "replaced") : fs::path();
  if (aside_needed && ::rename(path_.c_str(), aside.c_str()) != 0)
    throw_system_error(path_, "cannot be replaced", errno);
  if (::rename(staging_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    if (aside_needed) fs::rename(aside, path_, ignored);
    throw_system_error(path_, "cannot be moved into place", error);
  }
  committed_ = true;
  if (aside_needed) fs::remove_all(aside, ignored);
}

void write_file(const fs::path& path, std::string_view text, Overwrite overwrite) {
  if (is_stream(path)) return write_all(path, text, 0);
  StagedOutput output(path, StagedOutput::Kind::kFile, overwrite);
  write_all(output.staging(), text, O_CREAT | O_EXCL);
  output.commit();
}

}  // namespace plumbline
