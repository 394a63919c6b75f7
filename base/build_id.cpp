#include "base/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace plumbline {
namespace {

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

// Of the notes of a segment: each a header, a name and a description, padded to 4 bytes.
std::string id_in(std::string_view notes) {
  constexpr std::string_view kName("GNU\0", 4);
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes.data(), sizeof head);
    const std::size_t description = sizeof head + padded(head.n_namesz);
    if (description + head.n_descsz > notes.size()) break;
    if (head.n_type == NT_GNU_BUILD_ID && notes.substr(sizeof head, head.n_namesz) == kName)
      return std::string(notes.substr(description, head.n_descsz));
    notes.remove_prefix(std::min(notes.size(), description + padded(head.n_descsz)));
  }
  return {};
}

int take_first(dl_phdr_info* object, std::size_t, void* id) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const char*>(  // NOLINT(performance-no-int-to-ptr): dl_iterate_phdr(3)
        object->dlpi_addr + segment.p_vaddr);
    std::string found = id_in({notes, segment.p_memsz});
    if (found.empty()) continue;
    *static_cast<std::string*>(id) = std::move(found);
    break;
  }
  return 1;  // the program itself comes first
}

}  // namespace

std::string build_id() {
  std::string id;
  ::dl_iterate_phdr(take_first, &id);
  return id;
}

}  // namespace plumbline
