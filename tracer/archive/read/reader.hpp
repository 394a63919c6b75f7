#pragma once
// Reading an OTF2 archive, Plumbline's or another tool's, location by location (never the merged reader: otf2.md says
// what that costs). Clock corrections of the local definitions (ClockOffset) are applied; times are Time since the
// start of the trace.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "tracer/archive/model.hpp"

namespace plumbline::archive {

class Reader {
 public:
  // `path`: the anchor file (*.otf2) or a directory that holds exactly one. Throws Error when it is missing, truncated
  // or not OTF2.
  explicit Reader(const std::filesystem::path& path);
  ~Reader();
  Reader(Reader&&) noexcept;

  const Definitions& definitions() const;
  const std::filesystem::path& anchor() const;

  // Delivers every event of one location (index into definitions().locations) in file order. Throws Error at a damaged
  // record: "OBS/traces.otf2: rank 7, event 1203: …".
  void read(std::uint32_t location, const std::function<void(const Event&)>& visit);

  // Records met so far that Event cannot express, by OTF2 name, with their number: to be reported, never dropped
  // silently.
  const std::map<std::string, std::uint64_t>& skipped() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The anchor file behind what a user typed. Throws Error when there is none or more than one.
std::filesystem::path find_anchor(const std::filesystem::path& path);

}  // namespace plumbline::archive
