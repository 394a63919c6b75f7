#pragma once
// How many random inputs a test tries.

namespace plumbline::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

// Under the sanitizers, which look for faults that the first inputs show too, a quarter: all are tried without them.
// Not where what is expected is a share of all.
constexpr int cases(int all) { return kSanitized ? (all + 3) / 4 : all; }

}  // namespace plumbline::test
