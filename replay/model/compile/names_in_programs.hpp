#pragma once
// Words in a program that was compiled from a model.

#include <string_view>

namespace plumbline::replay::model {

// Of the empty waits that a process has where it computes before its first call, so that time begins at 0, and behind
// its last one, so that this computation counts.
inline constexpr std::string_view kBeginOfProcess = "begin of the process", kEndOfProcess = "end of the process";

inline constexpr std::string_view kDelay = "Delay";  // the call of a Delay
// Why a Message with `least` is not judged.
inline constexpr std::string_view kTakesAtLeast = "the model says what it takes at least";

}  // namespace plumbline::replay::model
