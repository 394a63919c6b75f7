#include "replay/engine/choices.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/text/nearest.hpp"
#include "replay/collectives/schedules/algorithm.hpp"
#include "replay/collectives/schedules/algorithms.hpp"

namespace plumbline::replay {
namespace {

namespace schedules = collectives::schedules;

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i)
    names.emplace_back(to_string(static_cast<schedules::Operation>(i)));
  return names;
}

std::vector<std::string> algorithm_names(schedules::Operation operation, std::string_view library) {
  std::vector<std::string> names;
  for (const std::string_view of : schedules::kLibraries)
    for (const schedules::Algorithm& algorithm : schedules::algorithms_for(of, operation))
      if ((library.empty() || library == of) && std::ranges::find(names, algorithm.name) == names.end() &&
          algorithm.name != "self")
        names.emplace_back(algorithm.name);
  return names;
}

}  // namespace

void force_collective(std::string_view text, Choices& choices) {
  const std::string where(text);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw Error(where, "names no algorithm", "write OPERATION=ALGORITHM, for example allreduce=ring");
  const std::string_view operation_name = text.substr(0, equals);
  const std::optional<schedules::Operation> operation = schedules::operation_named(operation_name);
  if (!operation)
    throw Error(where, "there is no collective '" + std::string(operation_name) + "'",
                did_you_mean_one_of(operation_name, operation_names()));
  const std::string_view full = text.substr(equals + 1);
  const std::size_t colon = full.find(':');
  const std::string_view library = colon == std::string_view::npos ? std::string_view() : full.substr(0, colon);
  const std::string_view name = colon == std::string_view::npos ? full : full.substr(colon + 1);
  if (!library.empty() && std::ranges::find(schedules::kLibraries, library) == schedules::kLibraries.end())
    throw Error(where, "no algorithms of the library '" + std::string(library) + "' are known",
                did_you_mean_one_of(library, std::vector<std::string>(std::begin(schedules::kLibraries),
                                                                      std::end(schedules::kLibraries))));
  const std::vector<std::string> known = algorithm_names(*operation, library);
  const auto is_known = [&](std::string_view algorithm) {
    return schedules::is_called({library, *operation, algorithm}, name);
  };
  if (std::ranges::none_of(known, is_known))
    throw Error(where, std::string(operation_name) + " has no algorithm '" + std::string(name) + "'",
                did_you_mean_one_of(name, known));
  choices.collectives[*operation] = std::string(full);
}

}  // namespace plumbline::replay
