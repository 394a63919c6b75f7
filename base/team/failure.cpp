#include "base/team/failure.hpp"

#include <exception>
#include <filesystem>
#include <new>

#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "base/team/bytes.hpp"

namespace plumbline {
namespace {

std::string as_bytes(const std::vector<Problem>& problems, ExitCode code) {
  ByteWriter out;
  out.put(true);
  out.put(code);
  out.put(std::uint64_t{problems.size()});
  for (const Problem& problem : problems)
    for (const std::string& text : {problem.where, problem.what, problem.hint}) out.put_text(text);
  return out.take();
}

std::string as_bytes(const char* fault) {
  ByteWriter out;
  out.put(false);
  out.put_text(fault);
  return out.take();
}

}  // namespace

std::string failure_now() try { throw; } catch (const Error& error) {
  return as_bytes(error.problems(), error.code());
} catch (const std::filesystem::filesystem_error& error) {
  return as_bytes({{error.path1().string(), error.code().message(), "check the name and its rights"}},
                  ExitCode::kBadInput);
} catch (const std::bad_alloc&) {
  return as_bytes({{"", "there is not enough memory", "share the work among fewer processes"}},
                  ExitCode::kCannotRunHere);
} catch (const std::exception& fault) {
  return as_bytes(fault.what());
}

void throw_failure(std::string_view failure) {
  ByteReader in(failure);
  if (!in.get<bool>()) throw InternalFault(std::string(in.get_text()));
  const auto code = in.get<ExitCode>();
  const auto count = in.get<std::uint64_t>();
  Diagnostics problems;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string where(in.get_text()), what(in.get_text()), hint(in.get_text());
    problems.add(std::move(where), std::move(what), std::move(hint));
  }
  problems.throw_if_any(code);
  throw InternalFault("an error without a problem");
}

}  // namespace plumbline
