#include "cli/workflows/view/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "hwmodels/platform/settings/settings.hpp"
#include "replay/collectives/collective_call.hpp"
#include "replay/collectives/schedules/algorithm.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/io/hints.hpp"

namespace plumbline::cli::view {
namespace {

namespace schedules = replay::collectives::schedules;
using viewer::WhatIfChoice;

constexpr std::size_t kMostRates = 64;  // beyond it only those of all of a kind

class Choices {
 public:
  Choices(const replay::Program& program, const hw::Platform& platform, const nlohmann::ordered_json& report)
      : program_(program), platform_(platform), report_(report), library_(replay::collectives::library_of(program)) {
    look_at_operations();
  }

  std::vector<WhatIfChoice> all() {
    if (report_.is_object() && report_.contains("findings")) add_advice();
    if (uses_mpi_io_) add_hints();
    for (const auto& [call, operation] : collectives_) add_algorithms(call, operation, std::nullopt);
    add_rates();
    return std::move(choices_);
  }

 private:
  void look_at_operations() {
    std::set<std::uint16_t> calls;
    for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
      for (const replay::Operation& operation : program_.rank(rank).operations) {
        if (replay::is_data_collective(operation.kind)) calls.insert(operation.call);
        uses_mpi_io_ = uses_mpi_io_ || (replay::is_io(operation.kind) && (operation.flags & replay::kIoIsMpi) != 0);
      }
    for (const std::uint16_t call : calls) {
      const std::string name(program_.call(call));
      if (const auto operation = replay::collectives::operation_of(name)) collectives_.emplace(name, *operation);
    }
  }

  // Each setting once: that of the first finding that advises it.
  void add(WhatIfChoice choice) {
    if (seen_.insert(choice.id).second) choices_.push_back(std::move(choice));
  }

  void add_hint(const std::string& hint, const std::string& value, std::optional<std::uint32_t> finding) {
    add({fmt::format("hint {}={}", hint, value), fmt::format("hint {}={}", hint, value), "hint." + hint, value,
         finding});
  }

  void add_advice() {
    const auto& findings = report_["findings"];
    for (std::uint32_t i = 0; i < findings.size(); ++i) {
      if (!findings[i].is_object()) continue;
      for (const auto& advice : findings[i].value("advice", nlohmann::ordered_json::array()))
        if (advice.is_string()) add_hints_of(advice.get<std::string>(), i);
      constexpr std::string_view kAlgorithm = "algorithm of ";
      const std::string component = findings[i].value("component", "");
      if (!component.starts_with(kAlgorithm)) continue;
      const std::string call = component.substr(kAlgorithm.size());
      if (const auto known = collectives_.find(call); known != collectives_.end())
        add_algorithms(call, known->second, i);
    }
  }

  // Of a sentence what it says to set: "set romio_cb_write=enable", "--set hint.romio_cb_write=enable".
  void add_hints_of(const std::string& advice, std::uint32_t finding) {
    static const std::regex kSet("(?:set |hint\\.)([a-z_]+)=([A-Za-z0-9_]+)");
    const std::vector<std::string> known = replay::io::hint_names();
    for (std::sregex_iterator match(advice.begin(), advice.end(), kSet), end; match != end; ++match)
      if (std::ranges::find(known, (*match)[1].str()) != known.end()) add_hint((*match)[1], (*match)[2], finding);
  }

  void add_hints() {
    using Values = std::vector<const char*>;
    const std::array<std::pair<const char*, Values>, 6> hints{{
        {"romio_cb_write", {"enable", "disable", "automatic"}},
        {"romio_cb_read", {"enable", "disable", "automatic"}},
        {"romio_ds_write", {"enable", "disable", "automatic"}},
        {"romio_ds_read", {"enable", "disable", "automatic"}},
        {"cb_nodes", {"1", "2", "4", "8", "16"}},
        {"cb_buffer_size", {"1048576", "4194304", "16777216", "67108864"}},
    }};
    for (const auto& [hint, values] : hints) {
      for (const char* const value : values) add_hint(hint, value, std::nullopt);
      if (std::string_view(hint).starts_with("cb_")) choices_.back().values = WhatIfChoice::Values::kNumber;
    }
  }

  // `call` "MPI_Allreduce"; those that a user of the library can ask for.
  void add_algorithms(const std::string& call, schedules::Operation operation, std::optional<std::uint32_t> finding) {
    for (const schedules::Algorithm& algorithm : schedules::algorithms_for(library_, operation)) {
      if (library_ == schedules::kOpenMpi && algorithm.number == 0) continue;
      const std::string name = fmt::format("collective.{}", schedules::to_string(operation));
      add({fmt::format("algorithm {} {}", schedules::to_string(operation), algorithm.name),
           fmt::format("{} by {}", call, algorithm.name), name, fmt::format("{}:{}", library_, algorithm.name),
           finding});
    }
  }

  void add_rate(const std::string& name, const std::string& title, const std::string& value) {
    add({"rate " + name, title, name, value, std::nullopt, WhatIfChoice::Values::kNumber});
  }

  // Rates that are given are examples: any other number is taken too.
  void add_rates() {
    struct Kind {
      std::string_view before, after, title, value;
    };
    constexpr std::array<Kind, 7> kKinds{
        {{"link.", ".rate", "rate of link", "10Gbit/s"},
         {"switch.", ".rate", "rate of switch", "100Gbit/s"},
         {"node.", ".interface-rate", "rate of the interface of node", "10Gbit/s"},
         {"server.", ".disk.rate", "rate of the disk of server", "1GB/s"},
         {"server.", ".flash.write-rate", "rate of writing to flash of server", "3GB/s"},
         {"server.", ".device.rate", "rate of the device of server", "1GB/s"},
         {"filesystem.", ".cached-write.rate", "rate of writing to", "5GB/s"}}};
    const std::vector<std::string> names = hw::setting_names(platform_);
    for (const Kind& kind : kKinds) {
      std::vector<std::string> found;
      for (const std::string& name : names)
        if (name.starts_with(kind.before) && name.ends_with(kind.after)) found.push_back(name);
      if (found.size() > 1)
        add_rate(fmt::format("{}*{}", kind.before, kind.after), fmt::format("{}: all of them", kind.title),
                 std::string(kind.value));
      if (found.size() > kMostRates) continue;
      for (const std::string& name : found) {
        const std::string what = name.substr(kind.before.size(), name.size() - kind.before.size() - kind.after.size());
        add_rate(name, fmt::format("{} {}", kind.title, what), std::string(kind.value));
      }
    }
  }

  const replay::Program& program_;
  const hw::Platform& platform_;
  const nlohmann::ordered_json& report_;
  const std::string library_;
  std::map<std::string, schedules::Operation> collectives_;  // by call
  bool uses_mpi_io_ = false;
  std::set<std::string> seen_;
  std::vector<WhatIfChoice> choices_;
};

}  // namespace

std::vector<WhatIfChoice> what_if_choices(const replay::Program& program, const hw::Platform& platform,
                                          const nlohmann::ordered_json& report) {
  return Choices(program, platform, report).all();
}

}  // namespace plumbline::cli::view
