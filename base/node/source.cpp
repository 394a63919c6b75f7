#include "base/node/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/node/copy.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr std::size_t kMostBytes = 16U << 20;  // /proc/interrupts of 512 processors has 4 MiB
constexpr std::size_t kMostLine = 16384;       // the kernel's command line has up to 4096
constexpr std::size_t kMostNames = 65536;

// The kernel's answers for what a device does not have, such as the speed of an interface that is down.
bool does_not_apply(int error) {
  return error == ENOENT || error == ENOTDIR || error == EINVAL || error == ENODEV || error == EOPNOTSUPP ||
         error == ENXIO || error == EAGAIN;
}

bool is_text(std::string_view line) {
  return std::ranges::none_of(line, [](unsigned char c) { return c == 0x7f || (c < 0x20 && c != '\t'); });
}

// Until the end of the file, or until there is more than there may be; the errno that stopped it.
int read_all(int file, std::string& text) {
  std::array<char, 65536> part;
  while (text.size() <= kMostBytes) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return EFBIG;
}

}  // namespace

std::optional<std::string> Source::copied_text(const std::string& path) {
  if (const auto why = copy_->unreadable.find(path); why != copy_->unreadable.end()) refuse(path, why->second);
  const auto file = copy_->files.find(path);
  return file == copy_->files.end() ? std::nullopt : std::optional(file->second);
}

std::optional<std::string> Source::text(const std::string& path) {
  if (copy_ != nullptr) return copied_text(path);
  // Not blocking: somebody may have put a pipe where a file should be.
  const int file = ::open((root_.string() + path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    if (!does_not_apply(errno)) refuse(path, std::strerror(errno));
    return std::nullopt;
  }
  std::string text;
  struct stat status {};
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const int fault = regular ? read_all(file, text) : 0;
  ::close(file);
  if (!regular) refuse(path, "Not a file");
  if (fault != 0 && !does_not_apply(fault)) refuse(path, std::strerror(fault));
  return regular && fault == 0 ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> Source::line(const std::string& path) {
  const auto whole = text(path);
  if (!whole) return std::nullopt;
  std::string_view rest = *whole;
  const std::string_view first = trimmed(take_line(rest));
  if (first.empty()) return std::nullopt;
  if (first.size() > kMostLine || !is_text(first)) {
    refuse(path, first.size() > kMostLine ? "Line too long" : "Not a text");
    return std::nullopt;
  }
  return std::string(first);
}

std::vector<std::string> Source::names(const std::string& path) {
  std::vector<std::string> names;
  if (copy_ != nullptr) {
    names = names_in(*copy_, path);
    sort_naturally(names);
    return names;
  }
  std::error_code fault;
  std::filesystem::directory_iterator entry(root_.string() + path, fault), end;
  while (!fault && entry != end && names.size() < kMostNames) {
    const std::string name = entry->path().filename().string();
    if (is_text(name)) names.push_back(name);
    entry.increment(fault);
  }
  if (fault && !does_not_apply(fault.value())) refuse(path, fault.message());
  sort_naturally(names);
  return names;
}

std::string Source::link_name(const std::string& path) {
  std::error_code fault;
  const auto target = [&]() -> std::filesystem::path {
    if (copy_ == nullptr) return std::filesystem::read_symlink(root_.string() + path, fault);
    const auto link = copy_->links.find(path);
    return link == copy_->links.end() ? std::string() : link->second;
  };
  const std::string name = target().filename().string();
  return fault || !is_text(name) ? "" : name;
}

bool Source::exists(const std::string& path) {
  std::error_code fault;
  return copy_ != nullptr ? holds(*copy_, path) : std::filesystem::exists(root_.string() + path, fault);
}

void Source::put(std::string name, std::string value, std::string path) {
  if (!value.empty() && value.size() <= kMostLine && is_text(name) && is_text(value))
    facts_.facts.insert_or_assign(std::move(name), Fact{std::move(value), std::move(path)});
}

void Source::put_line(const std::string& name, const std::string& path,
                      const std::function<std::string(std::string_view)>& change) {
  if (auto value = line(path)) put(name, change ? change(*value) : std::move(*value), path);
}

void Source::put_number(const std::string& name, const std::string& path) {
  put_line(name, path, [](std::string_view value) { return number_of(value) ? std::string(value) : ""; });
}

void Source::refuse(const std::string& path, std::string reason) { facts_.unreadable[path] = std::move(reason); }

}  // namespace plumbline::node
