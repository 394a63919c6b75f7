#include "cli/workflows/validate/causes/rule_costs.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace plumbline::cli::validate {
namespace {

// "allgather" of "MPI_Allgather", "MPI_Iallgather" and "MPI_Allgather_c".
std::string operation_of(std::string call) {
  if (call.starts_with("MPI_")) call.erase(0, 4);
  if (call.ends_with("_c")) call.erase(call.size() - 2);
  std::ranges::transform(call, call.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return call;
}

// Of messages any call that moves one.
bool is_of(const replay::Row& row, const std::string& operation) {
  if (operation == "round_trip" || operation == "exchange")
    return !row.collective && (row.key.kind == replay::OpKind::kRecv || row.key.kind == replay::OpKind::kSendrecv ||
                               row.key.kind == replay::OpKind::kWait);
  const std::string name = operation_of(row.call);
  return name == operation || name == "i" + operation;
}

double distance(double one, double other) { return std::abs(std::log2(std::max(one, 1.0) / std::max(other, 1.0))); }

}  // namespace

double cost_in_suite(std::span<const SuiteResult> runs, const Mpi& mpi, std::span<const LossOfCall> losses) {
  double cost = 0;
  for (const SuiteResult& run : runs) {
    if (run.mpi != &mpi) continue;
    std::map<std::uint32_t, double> of_rank;
    for (const replay::Row& row : run.judged.report.rows) {
      if (row.judged == 0) continue;
      const double bytes = static_cast<double>(row.bytes) / static_cast<double>(row.judged);
      const LossOfCall* nearest = nullptr;
      for (const LossOfCall& loss : losses)
        if (is_of(row, loss.operation) &&
            (nearest == nullptr ||
             distance(bytes, static_cast<double>(loss.bytes)) < distance(bytes, static_cast<double>(nearest->bytes))))
          nearest = &loss;
      if (nearest == nullptr) continue;
      for (const replay::RankPart& part : row.parts)
        of_rank[part.rank] +=
            std::min(static_cast<double>(part.operations) * nearest->seconds, part.observed.seconds());
    }
    double busiest = 0;
    for (const auto& [rank, seconds] : of_rank) busiest = std::max(busiest, seconds);
    cost += busiest;
  }
  return cost;
}

}  // namespace plumbline::cli::validate
