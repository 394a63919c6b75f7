#include "bench/storage/layout.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "bench/results/storage_cells.hpp"
#include "bench/storage/mount.hpp"

namespace plumbline::bench {
namespace {

template <class T>
T little_endian(std::string_view bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value =
        static_cast<T>(value | static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i)));
  return value;
}

std::string attribute_of(const std::filesystem::path& path, const char* name) {
  std::string value(65'536, '\0');
  const ssize_t size = ::getxattr(path.c_str(), name, value.data(), value.size());
  value.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return value;
}

// beegfs_ioctl.h of the BeeGFS client.
struct BeegfsStripeInfo {
  unsigned pattern = 0, chunk = 0;
  std::uint16_t targets = 0;
};
struct BeegfsStripeTarget {
  std::uint16_t index = 0, target = 0, node = 0;
  char node_name[256] = {};
};

std::optional<FileLayout> ask_beegfs(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::optional<FileLayout> layout;
  BeegfsStripeInfo info;
  if (::ioctl(fd, _IOR('f', 25, BeegfsStripeInfo), &info) == 0) {
    layout = FileLayout{cells::kBeegfs, info.chunk, info.targets, {}};
    for (std::uint16_t i = 0; i < info.targets; ++i) {
      BeegfsStripeTarget target;
      target.index = i;
      if (::ioctl(fd, _IOR('f', 26, BeegfsStripeTarget), &target) != 0) break;
      layout->servers.push_back(fmt::format("{}:{}", target.node_name, target.target));
    }
  }
  ::close(fd);
  return layout;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The queue of a partition is that of its disk.
std::string queue_of(dev_t device) {
  const std::string base = fmt::format("/sys/dev/block/{}:{}", major(device), minor(device));
  for (const char* up : {"/queue/", "/../queue/"})
    if (std::filesystem::exists(base + up)) return base + up;
  return "";
}

void describe_device(dev_t device, const std::string& file_system, StoragePlace& place) {
  if (file_system == "tmpfs" || file_system == "ramfs") {
    place.words[cells::kMedium] = cells::kMemory;
    return;
  }
  const std::string queue = queue_of(device);
  if (queue.empty()) {
    place.words[cells::kMedium] = cells::kNoBlockDevice;
    return;
  }
  place.words[cells::kMedium] = first_line(queue + "rotational") == "1" ? cells::kRotating : cells::kSolid;
  if (const std::string depth = first_line(queue + "nr_requests"); !depth.empty())
    place.numbers[cells::kQueue] = std::strtod(depth.c_str(), nullptr);
  if (const std::string model = first_line(queue + "../device/model"); !model.empty())
    place.words[cells::kModel] = model;
}

// Dirty pages may be so large a share of what is free and cached, unless a number of bytes is set (vm.dirty_ratio,
// vm.dirty_bytes in Documentation/admin-guide/sysctl/vm.rst).
double dirty_threshold(const char* name, double available) {
  const std::string base = fmt::format("/proc/sys/vm/dirty_{}", name);
  const double bytes = std::strtod(first_line(base + "bytes").c_str(), nullptr);
  return bytes > 0 ? bytes : available * std::strtod(first_line(base + "ratio").c_str(), nullptr) / 100;
}

}  // namespace

std::optional<FileLayout> parse_lustre_layout(std::string_view attribute) {
  constexpr std::uint32_t kV1 = 0x0BD10BD0, kV3 = 0x0BD30BD0, kComposite = 0x0BD60BD0;
  constexpr std::size_t kAtStripe = 24, kAtCount = 28, kHeadV1 = 32, kPool = 16, kObject = 24, kAtServer = 20;
  if (attribute.size() < kHeadV1) return std::nullopt;
  const auto magic = little_endian<std::uint32_t>(attribute, 0);
  FileLayout layout{cells::kLustre, 0, 0, {}};
  if (magic == kComposite) return layout;
  if (magic != kV1 && magic != kV3) return std::nullopt;
  layout.stripe = little_endian<std::uint32_t>(attribute, kAtStripe);
  const auto count = little_endian<std::uint16_t>(attribute, kAtCount);
  layout.count = count == 0xffff ? 0 : count;  // -1: all there are
  const std::size_t objects = kHeadV1 + (magic == kV3 ? kPool : 0);
  for (std::size_t i = 0; i < layout.count && objects + (i + 1) * kObject <= attribute.size(); ++i)
    layout.servers.push_back(
        fmt::format("OST{:04x}", little_endian<std::uint32_t>(attribute, objects + i * kObject + kAtServer)));
  return layout;
}

std::optional<FileLayout> parse_gluster_layout(std::string_view attribute) {
  constexpr std::string_view kBrick = "<POSIX(";
  FileLayout layout{cells::kGluster, 0, 1, {}};
  for (std::size_t at = 0; (at = attribute.find(kBrick, at)) != attribute.npos;) {
    at += kBrick.size();
    const std::size_t directory_end = attribute.find("):", at);
    const std::size_t host_end =
        directory_end == attribute.npos ? directory_end : attribute.find(':', directory_end + 2);
    if (host_end == attribute.npos) break;
    layout.servers.push_back(fmt::format("{}:{}", attribute.substr(directory_end + 2, host_end - directory_end - 2),
                                         attribute.substr(at, directory_end - at)));
    at = host_end;
  }
  if (layout.servers.empty()) return std::nullopt;
  return layout;
}

std::optional<FileLayout> layout_of(const std::filesystem::path& path) {
  if (auto layout = parse_lustre_layout(attribute_of(path, "lustre.lov"))) return layout;
  for (const char* name : {"glusterfs.pathinfo", "trusted.glusterfs.pathinfo"})
    if (auto layout = parse_gluster_layout(attribute_of(path, name))) return layout;
  std::error_code failed;
  const std::string whole = std::filesystem::canonical(path, failed).string();
  std::ifstream mounts("/proc/self/mountinfo");
  std::ostringstream text;
  text << mounts.rdbuf();
  // Its numbers are taken by others as well, so only its own files are asked.
  if (!failed && mount_of(whole, text.str()).type == "beegfs") return ask_beegfs(path);
  return std::nullopt;
}

std::uint64_t memory_line(std::string_view name) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
  return 0;
}

StoragePlace describe_storage(const std::filesystem::path& directory) {
  StoragePlace place;
  std::error_code failed;
  const std::string whole = std::filesystem::canonical(directory, failed).string();
  std::ifstream mounts("/proc/self/mountinfo");
  std::ostringstream text;
  text << mounts.rdbuf();
  const Mount mount = mount_of(failed ? directory.string() : whole, text.str());
  place.words[cells::kDirectory] = failed ? directory.string() : whole;
  place.words[cells::kMountPoint] = mount.point;
  place.words[cells::kFileSystem] = mount.type;
  struct stat about {};
  if (::stat(directory.c_str(), &about) == 0) describe_device(about.st_dev, mount.type, place);
  struct statvfs space {};
  if (::statvfs(directory.c_str(), &space) == 0) place.numbers[cells::kBlock] = static_cast<double>(space.f_bsize);
  if (const auto layout = layout_of(directory)) {
    place.words[cells::kStripesBy] = layout->told_by;
    if (layout->stripe > 0) place.numbers[cells::kStripe] = static_cast<double>(layout->stripe);
    if (layout->count > 0) place.numbers[cells::kStripeCount] = layout->count;
  }
  const auto available = static_cast<double>(memory_line("MemAvailable:"));
  place.numbers[cells::kMemoryAvailable] = available;
  place.numbers[cells::kToldLimit] = dirty_threshold("", available);
  place.numbers[cells::kToldBackground] = dirty_threshold("background_", available);
  return place;
}

}  // namespace plumbline::bench
