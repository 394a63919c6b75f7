#include "tracer/record/definitions/pseudonyms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace plumbline::record {
namespace {

// clang-format off
constexpr auto kWords = std::to_array<std::string_view>({
    // Of hints and settings.
    "enable", "enabled", "disable", "disabled", "automatic", "auto", "true", "false", "yes", "no", "on", "off", "none",
    "null", "default", "all", "any", "random", "sequential", "read_once", "write_once", "read_mostly", "write_mostly",
    "reverse_sequential", "single", "funneled", "serialized", "multiple", "first", "last", "inf", "host", "node", "core",
    "socket", "slot", "numa",
    // Of MPI libraries and what they run on.
    "tcp", "self", "vader", "sm", "smcuda", "openib", "ofi", "ucx", "cm", "ob1", "ugni", "psm", "psm2", "portals4", "rc",
    "rc_x", "ud", "ud_x", "dc", "dc_x", "shm", "posix", "sysv", "cma", "knem", "xpmem", "cuda", "rocm", "verbs", "mlx5",
    "romio", "romio321", "romio341", "ompio", "ufs", "UFS", "Generic", "ROMIO", "driver", "for", "UNIX-like", "file",
    "systems", "tuned", "basic", "libnbc", "hcoll", "han", "adapt", "inter", "sync", "individual", "two_phase",
    "dynamic", "dynamic_gen2", "vulcan", "ch3", "ch4", "nemesis", "Open", "MPI", "MPICH", "Version", "main",
    // Of file systems.
    "lustre", "gpfs", "nfs", "nfs3", "nfs4", "panfs", "pvfs2", "beegfs", "ceph", "cephfs", "daos", "ext2", "ext3", "ext4",
    "xfs", "btrfs", "zfs", "tmpfs", "ramfs", "overlay", "overlayfs", "fuse", "9p", "rw", "ro", "relatime", "noatime",
    "nodiratime", "nosuid", "nodev", "noexec", "hard", "soft", "vers", "rsize", "wsize", "proto", "sec", "size", "mode",
    // Of the file hierarchy.
    "dev", "proc", "sys", "tmp", "usr", "lib", "lib64", "bin", "home", "mnt", "scratch",
});
// clang-format on

constexpr auto kKeys =
    std::to_array<std::string_view>({"romio_", "cb_", "ind_", "striping_", "panfs_", "collective_", "chunked",
                                     "access_", "io_node", "nb_proc", "num_io_", "direct_"});

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_piece(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

// 10.1.2.3: of a host.
bool is_address(std::string_view text) {
  return std::ranges::count(text, '.') == 3 && text.find_first_not_of("0123456789.") == text.npos;
}

// 12, 4.1.4, 1-3, 0x1f, 64KiB, 20ms.
bool is_number(std::string_view text) {
  if (!is_digit(text.front()) || is_address(text)) return false;
  if (text.starts_with("0x")) return text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos;
  const std::size_t unit = std::min(text.find_first_not_of("0123456789.-"), text.size());
  constexpr auto kUnits =
      std::to_array<std::string_view>({"",   "k",  "K",   "M",   "G",   "T",   "B", "kB", "KB", "MB",
                                       "GB", "TB", "KiB", "MiB", "GiB", "TiB", "s", "ms", "us", "ns"});
  return std::ranges::find(kUnits, text.substr(unit)) != kUnits.end();
}

bool stays(std::string_view piece) {
  return piece.size() <= 1 || is_number(piece) || std::ranges::find(kWords, piece) != kWords.end();
}

// ".h5"; empty: none.
std::string_view extension(std::string_view piece) {
  constexpr std::size_t kMost = 4;
  const std::size_t dot = piece.rfind('.');
  if (dot == piece.npos || dot == 0 || piece.size() - dot - 1 > kMost || dot + 1 == piece.size() || is_address(piece))
    return {};
  const std::string_view letters = piece.substr(dot + 1);
  return std::ranges::all_of(letters, [](char c) { return is_letter(c) || is_digit(c); }) ? piece.substr(dot)
                                                                                          : std::string_view{};
}

bool is_known_key(std::string_view key) {
  return std::ranges::any_of(kKeys, [&](std::string_view known) { return key.starts_with(known); });
}

}  // namespace

std::string Pseudonyms::piece(std::string_view piece) {
  const std::size_t start = std::min(piece.find_first_not_of("-."), piece.size());  // of an option, of a hidden file
  const std::string_view name = piece.substr(start);
  if (stays(name)) return std::string(piece);
  const std::string_view end = extension(name);
  const std::string_view stem = name.substr(0, name.size() - end.size());
  const std::string before(piece.substr(0, start));
  if (stays(stem)) return fmt::format("{}{}{}", before, stem, end);
  const auto [entry, is_new] = names_.try_emplace(std::string(stem));
  if (is_new) entry->second = fmt::format("n{}", names_.size());
  return fmt::format("{}{}{}", before, entry->second, end);
}

std::string Pseudonyms::path(std::string_view path) {
  std::string result;
  for (;;) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    result += piece(path.substr(0, slash));
    if (slash == path.size()) return result;
    result += '/';
    path.remove_prefix(slash + 1);
  }
}

std::string Pseudonyms::text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, is_of_piece);
    const auto length = static_cast<std::size_t>(end - text.begin());
    result += piece(text.substr(0, length));
    if (length == text.size()) break;
    result += text[length];
    text.remove_prefix(length + 1);
  }
  return result;
}

std::string Pseudonyms::settings(std::string_view lines) {
  std::string result;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, std::min(lines.find('\n'), lines.size()));
    const std::string_view key = line.substr(0, std::min(line.find('='), line.size()));
    result += is_known_key(key) ? std::string(key) : piece(key);
    result += text(line.substr(key.size()));
    if (line.size() < lines.size()) result += '\n';
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  }
  return result;
}

namespace {

template <std::size_t kSize>
void put(char (&to)[kSize], const std::string& text) {
  std::memset(to, 0, kSize);
  std::memcpy(to, text.data(), std::min(text.size(), kSize - 1));
}

}  // namespace

namespace {

// The tracer's own words stay: why there are no internals, and by what a variable was set ("file PATH", "environment").
std::string shown(std::string_view key, std::string_view value, Pseudonyms& pseudonyms) {
  constexpr std::string_view kFile = "file ";
  if (key.starts_with("cvar_source.") && value.starts_with(kFile))
    return std::string(kFile) + pseudonyms.path(value.substr(kFile.size()));
  if (key.starts_with("cvar_source.") || key.starts_with("internals")) return std::string(value);
  return pseudonyms.text(value);
}

}  // namespace

void anonymize(ProcessFacts& facts, Pseudonyms& pseudonyms) {
  for (auto& [id, path] : facts.paths) path = pseudonyms.path(path);
  for (auto& [id, comm] : facts.comms) comm.name = pseudonyms.text(comm.name);
  for (auto& [id, window] : facts.windows) window.name = pseudonyms.text(window.name);
  facts.mounts.rename([&](Mount& mount) {
    mount.point = pseudonyms.path(mount.point);
    mount.source = pseudonyms.text(mount.source);
    mount.options = pseudonyms.text(mount.options);
  });
  for (auto& [id, file] : facts.mpi_files) {
    for (Hints& hints : file.hints) {
      hints.asked = pseudonyms.settings(hints.asked);
      hints.in_force = pseudonyms.settings(hints.in_force);
    }
  }
  std::erase_if(facts.meta,
                [](const auto& fact) { return fact.first.starts_with("tcp.peer."); });  // addresses of nodes
  for (auto& [key, value] : facts.meta) value = shown(key, value, pseudonyms);
}

pl_file_header anonymized(const pl_file_header& header, Pseudonyms& pseudonyms) {
  pl_file_header result = header;
  put(result.host, pseudonyms.text(header.host));
  put(result.program, pseudonyms.text(header.program));
  // "Open MPI v4.1.4, package: .. user@host .., ident: ..": who built it
  const std::string_view library = header.library;
  put(result.library, std::string(library.substr(0, library.find(','))));
  return result;
}

}  // namespace plumbline::record
