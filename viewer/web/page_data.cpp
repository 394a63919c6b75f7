#include "viewer/web/page_data.hpp"

#ifdef PLUMBLINE_PAGE

// The assembler puts the file between two symbols.
asm(R"(
  .section .rodata.plumbline_page, "a", @progbits
  .balign 16
plumbline_page_begin:
  .incbin ")" PLUMBLINE_PAGE R"("
plumbline_page_end:
  .byte 0
  .previous
)");

namespace plumbline::viewer {

extern "C" {
extern const std::byte plumbline_page_begin[];
extern const std::byte plumbline_page_end[];
}

std::span<const std::byte> page_gzip() { return {plumbline_page_begin, plumbline_page_end}; }

}  // namespace plumbline::viewer

#else

namespace plumbline::viewer {

std::span<const std::byte> page_gzip() { return {}; }

}  // namespace plumbline::viewer

#endif
