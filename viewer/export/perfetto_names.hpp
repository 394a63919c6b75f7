#pragma once
// Texts that events of a Perfetto trace name by number ("interned"). Number 0 means none.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "replay/program/program.hpp"
#include "viewer/index/runs/columns.hpp"

namespace plumbline::viewer::perfetto {

// What is told of an operation, and of a message.
enum class Annotation : std::uint8_t {
  kOperation = 1,
  kBytes,
  kPeer,
  kTag,
  kCommSize,
  kSite,
  kFile,
  kFree,
  kLower,
  kUpper,
  kBand,
  kOwn,
  kInherited,
  kStructure,
  kStack,
  kGained,
  kNotJudged,
  kFrom,
};

class Names {
 public:
  explicit Names(const replay::Program& program) : program_(program) {}

  // An InternedData message with all texts of the program: of calls, kinds, annotations, sites and files.
  std::string all() const;

  std::uint64_t call(std::uint16_t call) const { return std::uint64_t{call} + 1; }
  std::uint64_t received_message() const { return std::uint64_t{program_.calls()} + 1; }
  static std::uint64_t category(CallKind kind) { return static_cast<std::uint64_t>(kind) + 1; }

  // Values of annotations.
  std::uint64_t site(std::uint32_t site) const { return site < program_.sites() ? std::uint64_t{site} + 1 : 0; }
  std::uint64_t file(std::uint32_t file) const {
    return file < program_.files() ? std::uint64_t{program_.sites()} + file + 1 : 0;
  }
  // Any other text. One that is new is put to `interned`, an InternedData message that must be in the same packet.
  std::uint64_t text(std::string_view text, std::string& interned);

 private:
  const replay::Program& program_;
  std::map<std::string, std::uint64_t, std::less<>> texts_;
};

}  // namespace plumbline::viewer::perfetto
