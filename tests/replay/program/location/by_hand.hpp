#pragma once
// A location of a small archive in the middle of a call, for tests of one part of its compiler at a time: the state is
// set by hand, and what a part makes of it is looked at in the state, in the operations or in the finished program.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "replay/program/compile/location/state.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay::compiling {

// The archive has ranks 0 to 3, of which the location is rank 0. Its communicators have the same numbers in the
// program, and there is a window on each, with the number of its communicator in the archive.
inline constexpr std::uint32_t kWorld = 0,  //
    kPair = 1,                              // ranks 2 and 0: the location is number 1
    kOthers = 2,                            // ranks 1, 2 and 3
    kInter = 3;                             // between rank 0 and the ranks 1, 2 and 3

// Groups of ranks that synchronise on a window.
inline constexpr std::uint32_t kZeroAndTwo = 0,  //
    kOneAndTwo = 1,                              //
    kGroups = 2;

// Handles of files.
inline constexpr std::uint32_t kShared = 0,  // "data", of MPI-IO, opened by the world
    kDescriptor = 1,                         // "log", of POSIX
    kStream = 2,                             // "notes", of stdio
    kSecond = 3,                             // "more", as "data"
    kHandles = 4;

archive::Definitions definitions_by_hand();

struct LocationByHand {
  explicit LocationByHand(archive::Definitions of_archive = definitions_by_hand());

  // A call of that name is in progress, in which nothing has been seen yet. The operations before it are those that
  // end_posts() has added.
  void in_call(std::string_view name);
  // What the call in progress has posted becomes operations of the program, at `times`.
  void end_posts(const OperationTimes& times = {});
  // An operation of an earlier call, by its index.
  std::uint32_t earlier(const Operation& operation, const OperationTimes& times = {});

  std::uint32_t region(std::string_view name) const;
  archive::AttributeValue text(std::uint32_t attribute, std::string_view value);

  // The program with what has been made so far, without a look at whether it is whole.
  Program finish();

  archive::Definitions definitions;
  test::TemporaryDirectory directory;
  ProgramBuilder builder;
  CompileContext context;
  LocationState state;
  const AttributeIds& ids = context.attributes;
  const Tally& tally = context.tally;
};

archive::AttributeValue number(std::uint32_t attribute, std::uint64_t value);
archive::AttributeValue integer(std::uint32_t attribute, std::int64_t value);

// An event whose attributes live as long as it.
class Record {
 public:
  Record(const archive::Event& event, std::vector<archive::AttributeValue> attributes = {})
      : event_(event), attributes_(std::move(attributes)) {
    event_.attributes = attributes_;
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  const archive::Event& event() const { return event_; }
  operator const archive::Event&() const { return event_; }

 private:
  archive::Event event_;
  std::vector<archive::AttributeValue> attributes_;
};

inline Time at_us(std::int64_t n) { return Time{} + microseconds(n); }

// What the error says that the call throws.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace plumbline::replay::compiling
