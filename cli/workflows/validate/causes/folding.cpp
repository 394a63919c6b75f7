#include "cli/workflows/validate/causes/folding.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Datum;
using replay::validate::Diagnosis;

void add_evidence(const Diagnosis& shown, Diagnosis& cause) {
  cause.evidence.push_back({shown.id, shown.title, ""});
  std::ranges::copy(shown.evidence, std::back_inserter(cause.evidence));
}

std::string_view entry_of(const Diagnosis& diagnosis) {
  const auto row = std::ranges::find(diagnosis.evidence, "suite entry", &Datum::name);
  return row == diagnosis.evidence.end() ? std::string_view() : row->value;
}

}  // namespace

std::vector<Diagnosis> fold_into(std::vector<Diagnosis>& causes, std::vector<Diagnosis>& shown,
                                 const Explains& explains) {
  std::vector<Diagnosis> folded;
  std::erase_if(shown, [&](Diagnosis& each) {
    bool is_explained = false;
    for (Diagnosis& cause : causes) {
      if (!explains(cause, each)) continue;
      add_evidence(each, cause);
      is_explained = true;
    }
    if (is_explained) folded.push_back(std::move(each));
    return is_explained;
  });
  return folded;
}

void fold_within(std::vector<Diagnosis>& shown, const Explains& explains) {
  std::vector<bool> is_folded(shown.size());
  for (std::size_t cause = 0; cause < shown.size(); ++cause)
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (i == cause || !explains(shown[cause], shown[i])) continue;
      add_evidence(shown[i], shown[cause]);
      is_folded[i] = true;
    }
  std::size_t at = 0;
  std::erase_if(shown, [&](const Diagnosis&) { return is_folded[at++]; });
}

void fold_into_splits(std::vector<Diagnosis>& diagnoses) {
  fold_within(diagnoses, [](const Diagnosis& cause, const Diagnosis& shown) {
    return cause.id == "io.hints.split" && shown.id == "storage.slow" && cause.mpi == shown.mpi &&
           !entry_of(cause).empty() && entry_of(cause) == entry_of(shown);
  });
}

void fold_into_servers(const std::string& directory, std::vector<Diagnosis>& diagnoses) {
  fold_within(diagnoses, [&](const Diagnosis& cause, const Diagnosis& shown) {
    return cause.id == "server.slow" && shown.id == "storage.slow" && cause.mpi == shown.mpi &&
           (shown.component + "/").starts_with("storage " + directory + "/");
  });
}

}  // namespace plumbline::cli::validate
