#pragma once
// Models and platforms in files, predicted as the command does it.

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hpp"
#include "cli/workflows/predict/predict.hpp"
#include "cli/workflows/predict/prediction.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::predict::test {

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Messages between nodes n0 .. n63 as `times` say, inside of a node nearly at once; nothing costs a CPU.
inline std::string sampled_platform(const std::string& times) {
  return "<platform version=\"1\" name=\"made up\" network=\"sampled\"><nodes name=\"n0-n63\"/>"
         "<inside><range protocol=\"eager\" send=\"0\" receive=\"0\"><times size=\"1KiB\" quantiles=\"0%:1ps "
         "100%:1ps\"/>"
         "</range></inside><between><range protocol=\"eager\" send=\"0\" receive=\"0\">" +
         times + "</range></between></platform>";
}
inline std::string point_mass(const std::string& time) {
  return sampled_platform(fmt::format("<times size=\"1KiB\" quantiles=\"0%:{} 100%:{}\"/>", time, time));
}

class World {
 public:
  World(const std::string& model, const std::string& platform) {
    write("m.c", model);
    write("p.xml", platform);
    options.model = directory_.path() / "m.c";
    options.platform = directory_.path() / "p.xml";
  }

  Prediction predicted(const std::string& ranks) {
    options.ranks = ranks;
    return predict(options);
  }

  // What is said of a model that cannot be predicted, a line each.
  std::string told(const std::string& ranks) {
    try {
      predicted(ranks);
    } catch (const Error& error) {
      std::string all;
      for (const Problem& problem : error.problems()) all += problem.where + ": " + problem.what + "\n";
      return all;
    }
    return "";
  }

  Options options;
  std::filesystem::path path(const std::string& name) const { return directory_.path() / name; }

 private:
  void write(const std::string& name, const std::string& text) { std::ofstream(directory_.path() / name) << text; }

  plumbline::test::TemporaryDirectory directory_;
};

inline Duration length_of(const Prediction& prediction, std::size_t point = 0) {
  return prediction.outcomes.at(point).samples().lengths.front();
}

}  // namespace plumbline::cli::predict::test
