#pragma once
// Words of the text form for one-sided communication: verbs, and kinds of windows.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "replay/program/program.hpp"

namespace plumbline::replay {

inline constexpr std::array<std::string_view, 5> kWindowKindWords = {"unknown", "create", "allocate", "shared",
                                                                     "dynamic"};

// What a verb says: "win_flush_local_all" is a flush at the origin of all ranks; "rput" has a request.
struct WindowVerb {
  OpKind kind = OpKind::kRmaPut;
  std::uint8_t flags = 0;  // kWinAll, kWinLocal
  bool has_request = false;
};
std::optional<WindowVerb> window_verb(std::string_view word);
std::string window_word(OpKind kind, std::uint8_t flags, bool has_request);

// The call that such a verb stands for, where its name does not follow from it; else "".
std::string_view call_of_window_verb(std::string_view verb);

}  // namespace plumbline::replay
