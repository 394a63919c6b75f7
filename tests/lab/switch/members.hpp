#pragma once
// Reads the members of one JSON object and collects what is wrong with them: missing, not of the kind, unknown.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "tests/lab/switch/settings.hpp"

namespace plumbline::lab {

enum class Need { kOptional, kRequired };

class Members {
 public:
  // `where` begins every message. What is no object is reported, and then has no members.
  Members(const nlohmann::json& object, std::string where, Diagnostics& problems);

  // Nothing when the member is absent or wrong; what is wrong has then been reported.
  std::optional<std::string> text(const std::string& name, Need need);
  std::optional<std::int64_t> whole(const std::string& name, std::int64_t least, std::int64_t most, Need need);
  std::optional<bool> flag(const std::string& name, Need need);
  std::optional<BytesPerSecond> rate(const std::string& name, Need need);
  std::optional<Duration> duration(const std::string& name, Need need);
  std::optional<Bytes> bytes(const std::string& name, Need need);
  std::optional<double> fraction(const std::string& name, Need need);

  // An array; empty when it is absent or wrong.
  const std::vector<nlohmann::json>& list(const std::string& name, Need need);

  // Reports every member that nobody asked for.
  void refuse_others();

  const std::string& where() const { return where_; }
  void report(std::string what, std::string hint = {});

 private:
  const nlohmann::json* find(const std::string& name, Need need);

  template <typename T>
  std::optional<T> quantity(const std::string& name, Need need, std::optional<T> (*parse)(std::string_view),
                            const char* example);

  const nlohmann::json& object_;
  std::string where_;
  Diagnostics& problems_;
  std::vector<std::string> asked_;
};

enum class CableKind { kPort, kUplink };

// The members of a cable: a port's `up` and `down` or an uplink's `rate`, then latency, queue, loss, duplex. What is
// absent stays as it is in `cable`; kRequired: the rates must be there.
void read_cable(Members& members, CableKind kind, Need rates, CableSettings& cable);

// The same members, as text that read_cable gives back exactly.
nlohmann::ordered_json cable_to_json(const CableSettings& cable, CableKind kind);

}  // namespace plumbline::lab
