#include "viewer/export/csv.hpp"

#include <optional>
#include <string>
#include <vector>

#include "base/text/csv_field.hpp"
#include "viewer/export/output.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

// The texts of a table of the program as fields, made once.
template <class Text>
std::vector<std::string> fields_of(std::uint32_t count, Text text) {
  std::vector<std::string> fields;
  for (std::uint32_t i = 0; i < count; ++i) fields.push_back(csv_field(text(i)));
  return fields;
}

class CsvWriter {
 public:
  CsvWriter(const Runs& runs, std::ostream& to)
      : runs_(runs),
        program_(runs.observed),
        observed_zero_(span_of(runs.observed).begin),
        reference_zero_(reference_zero(runs)),
        reference_(runs),
        calls_(fields_of(program_.calls(), [&](auto i) { return program_.call(static_cast<std::uint16_t>(i)); })),
        sites_(fields_of(program_.sites(), [&](auto i) { return program_.site(i); })),
        files_(fields_of(program_.files(), [&](auto i) { return program_.file(i); })),
        nodes_(fields_of(program_.nodes(), [&](auto i) { return program_.node(i); })),
        out_(to, "the table") {}

  ExportSummary run(Progress* progress) {
    ExportSummary summary;
    head();
    for (OperationId id{0, 0}; id.rank < program_.ranks(); ++id.rank) {
      const std::size_t operations = program_.rank(id.rank).operations.size();
      for (id.operation = 0; id.operation < operations; ++id.operation) line(id);
      summary.operations += operations;
      if (progress != nullptr) progress->update(summary.operations);
    }
    out_.flush();
    return summary;
  }

 private:
  void head() {
    for (const std::string_view column : kCsvColumns) {
      if (column != kCsvColumns.front()) out_.add(',');
      out_.add(column);
    }
    out_.add('\n');
  }

  void line(OperationId id) {
    what(id);
    times(id);
    out_.add('\n');
  }

  void what(OperationId id) {
    const ExportedOperation facts = exported(program_, id);
    const replay::Operation& operation = *facts.operation;
    out_.number(id.rank);
    put(std::optional(id.operation));
    put(nodes_[program_.rank(id.rank).node]);
    put(calls_[operation.call]);
    put(kKindNames[static_cast<std::size_t>(kind_of(program_, operation))]);
    put(operation.site < sites_.size() ? std::string_view(sites_[operation.site]) : "");
    put(facts.comm_size);
    put(facts.peer);
    put(facts.tag);
    put(std::optional(operation.bytes));
    put(facts.file < files_.size() ? std::string_view(files_[facts.file]) : "");
  }

  void times(OperationId id) {
    const Parts parts = parts_of(runs_, id.rank, id.operation);
    put(parts.begin - observed_zero_, true);
    put(parts.observed, true);
    const bool has_other = reference_.contains(id);
    const replay::OperationTimes other =
        has_other ? runs_.expected->ranks[id.rank].free[id.operation] : replay::OperationTimes{};
    put(other.begin - reference_zero_, has_other);
    put(other.end - other.begin, has_other);
    for (const Duration part :
         {parts.lower, parts.upper, parts.band, parts.own, parts.inherited, parts.structure, parts.stack, parts.gained})
      put(part, parts.judged);
    put(runs_.is_compared() ? (parts.judged ? "1" : "0") : "");
    put(parts.judged ? std::string() : csv_field(why_not_judged(runs_, id.rank, id.operation)));
  }

  void put(std::string_view field) {
    out_.add(',');
    out_.add(field);
  }
  template <class Number>
  void put(std::optional<Number> number) {
    out_.add(',');
    if (number) out_.number(*number);
  }
  void put(Duration duration, bool is_known) {
    out_.add(',');
    if (is_known) out_.number(duration.ps);
  }

  const Runs& runs_;
  const replay::Program& program_;
  const Time observed_zero_, reference_zero_;
  const ReferenceOperations reference_;
  const std::vector<std::string> calls_, sites_, files_, nodes_;
  Output out_;
};

}  // namespace

ExportSummary write_csv(const Runs& runs, std::ostream& to, Progress* progress) {
  return CsvWriter(runs, to).run(progress);
}

}  // namespace plumbline::viewer
