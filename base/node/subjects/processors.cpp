#include "base/node/subjects/processors.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/node/cpu_list.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {

std::vector<std::uint32_t> processors_in(Source& source) {
  std::vector<std::uint32_t> processors;
  for (const std::string& name : source.names(kProcessors)) {
    const auto number = name.starts_with("cpu") ? number_of(std::string_view(name).substr(3)) : std::nullopt;
    if (number && *number < 65536) processors.push_back(static_cast<std::uint32_t>(*number));
  }
  return processors;
}

std::map<std::uint32_t, std::string> lines_of_processors(Source& source, const std::string& file) {
  std::map<std::uint32_t, std::string> lines;
  for (const std::uint32_t processor : processors_in(source))
    if (auto line = source.line(fmt::format("{}/cpu{}/{}", kProcessors, processor, file)))
      lines.emplace(processor, std::move(*line));
  return lines;
}

std::string joined(const std::map<std::uint32_t, std::string>& lines) {
  std::map<std::string, std::vector<std::uint32_t>> processors;
  for (const auto& [processor, line] : lines) processors[line].push_back(processor);
  if (processors.size() == 1) return processors.begin()->first;
  std::string all;
  for (const auto& [line, of_line] : processors)
    all += fmt::format("{}{}:{}", all.empty() ? "" : " ", line, processor_list(of_line));
  return all;
}

}  // namespace plumbline::node
