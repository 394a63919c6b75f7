#include "tracer/record/definitions/symbols.hpp"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace plumbline::record {
namespace {

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// "7f00-7f10 r-xp 00001000 08:01 1234   /usr/lib/libmpi.so"
std::optional<Mapping> parse_mapping(std::string_view line) {
  const std::string_view range = next_word(line);
  const std::string_view permissions = next_word(line);
  const std::optional<std::uint64_t> offset = hexadecimal(next_word(line));
  next_word(line);  // device
  next_word(line);  // inode
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos || !offset || !line.starts_with('/')) return std::nullopt;
  if (permissions.find('x') == std::string_view::npos) return std::nullopt;
  const std::optional<std::uint64_t> begin = hexadecimal(range.substr(0, dash)),
                                     end = hexadecimal(range.substr(dash + 1));
  if (!begin || !end) return std::nullopt;
  return Mapping{*begin, *end, *offset, std::string(line)};
}

// The name without parameters: what the last pair of parentheses holds, unless that is a part of the name itself.
std::string without_parameters(std::string name) {
  const std::size_t last = name.rfind(')');
  int depth = 0;
  for (std::size_t at = last; at != std::string::npos && at != 0; --at) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return name.substr(0, at);
  }
  return name;
}

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? without_parameters(text) : name;
  std::free(text);
  return result;
}

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

std::vector<Mapping> parse_mappings(std::string_view maps) {
  std::vector<Mapping> mappings;
  while (!maps.empty()) {
    const std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(line.size() + 1, maps.size()));
    if (std::optional<Mapping> mapping = parse_mapping(line)) mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

struct Symbols::Module {
  explicit Module(const std::string& path) {
    static char* no_debug_path = nullptr;
    static const Dwfl_Callbacks kOffline = {.find_elf = dwfl_build_id_find_elf,
                                            .find_debuginfo = dwfl_standard_find_debuginfo,
                                            .section_address = dwfl_offline_section_address,
                                            .debuginfo_path = &no_debug_path};
    dwfl = dwfl_begin(&kOffline);
    if (dwfl == nullptr) return;
    dwfl_report_begin(dwfl);
    module = dwfl_report_offline(dwfl, path.c_str(), path.c_str(), -1);
    dwfl_report_end(dwfl, nullptr, nullptr);
  }
  ~Module() {
    if (dwfl != nullptr) dwfl_end(dwfl);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // Where a byte of the file lies in the address space that libdwfl made up for the module.
  std::optional<std::uint64_t> address_of(std::uint64_t file_offset) const {
    if (module == nullptr) return std::nullopt;
    GElf_Addr bias = 0;
    Elf* elf = dwfl_module_getelf(module, &bias);
    std::size_t count = 0;
    if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header;
      if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD) continue;
      if (file_offset < header.p_offset || file_offset - header.p_offset >= header.p_filesz) continue;
      return header.p_vaddr + (file_offset - header.p_offset) + bias;
    }
    return std::nullopt;
  }

  Dwfl* dwfl = nullptr;
  Dwfl_Module* module = nullptr;
};

Symbols::Symbols() = default;
Symbols::~Symbols() = default;

Symbols::Module& Symbols::module(const std::string& path) {
  std::unique_ptr<Module>& entry = modules_[path];
  if (!entry) entry = std::make_unique<Module>(path);
  return *entry;
}

std::string Symbols::look_up(const std::string& path, std::uint64_t file_offset) {
  Module& m = module(path);
  const std::string fallback = fmt::format("{}+{:#x}", base_name(path), file_offset + 1);
  const std::optional<std::uint64_t> address = m.address_of(file_offset);
  if (!address) return fallback;
  GElf_Off inside = 0;
  GElf_Sym symbol;
  const char* function = dwfl_module_addrinfo(m.module, *address, &inside, &symbol, nullptr, nullptr, nullptr);
  int line_number = 0;
  const char* file = nullptr;
  if (Dwfl_Line* line = dwfl_module_getsrc(m.module, *address))
    file = dwfl_lineinfo(line, nullptr, &line_number, nullptr, nullptr, nullptr);
  const std::string name = function != nullptr ? demangled(function) : base_name(path);
  if (file != nullptr) return fmt::format("{} ({}:{})", name, base_name(file), line_number);
  return function != nullptr ? fmt::format("{}+{:#x}", name, inside + 1) : fallback;
}

std::string Symbols::name(std::uint64_t return_address, const std::vector<Mapping>& mappings) {
  for (const Mapping& mapping : mappings) {
    if (return_address <= mapping.begin || return_address > mapping.end) continue;
    const std::uint64_t offset = return_address - 1 - mapping.begin + mapping.offset;
    const auto [entry, is_new] = names_.try_emplace({mapping.path, offset});
    if (is_new) {
      const std::string found = look_up(mapping.path, offset);
      entry->second = show_ ? show_(found) : found;
    }
    return entry->second;
  }
  return fmt::format("{:#x}", return_address);
}

}  // namespace plumbline::record
