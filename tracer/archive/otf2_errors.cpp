#include "tracer/archive/otf2_errors.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <utility>

namespace plumbline::archive {
namespace {

thread_local int captures = 0;
thread_local std::string first_message;

OTF2_ErrorCode keep(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                    va_list values) {
  std::array<char, 512> text{};
  if (format != nullptr) std::vsnprintf(text.data(), text.size(), format, values);
  if (captures == 0) {
    std::fprintf(stderr, "OTF2: %s\n", text.data());
  } else if (first_message.empty()) {
    first_message = text[0] != '\0' ? text.data() : OTF2_Error_GetDescription(code);
  }
  return code;
}

}  // namespace

ErrorCapture::ErrorCapture() {
  static std::once_flag registered;
  std::call_once(registered, [] { OTF2_Error_RegisterCallback(keep, nullptr); });
  ++captures;
  previous_ = std::exchange(first_message, {});
}

ErrorCapture::~ErrorCapture() {
  --captures;
  first_message = std::move(previous_);
}

std::string ErrorCapture::message() const { return first_message; }

void ErrorCapture::clear() { first_message.clear(); }

std::string explain(const ErrorCapture& capture, OTF2_ErrorCode code) {
  std::string text = capture.message();
  if (text.empty()) text = OTF2_Error_GetDescription(code);
  return text;
}

}  // namespace plumbline::archive
