#include "bench/results/stream.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "bench/results/json_fields.hpp"

namespace plumbline::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBegin = "{\"kind\":\"";  // of every record

void put(std::FILE* to, const std::string& record) {
  if (std::fwrite(record.data(), 1, record.size(), to) != record.size() || std::fflush(to) != 0)
    throw Error("", fmt::format("what was measured cannot be written: {}", std::strerror(errno)),
                "free some space or choose another directory", ExitCode::kCannotRunHere);
}

template <class T>
void append(std::string& bytes, const std::vector<T>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::string record(Json line, const std::string& arrays = {}) {
  line["values"] = arrays.size();
  return to_line(line) + "\n" + arrays + "\n";
}

template <class T>
void take_array(std::string_view& bytes, std::uint64_t count, std::vector<T>& into) {
  into.resize(count);
  if (count != 0) std::memcpy(into.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
}

// One record, as it lies in the file.
struct Record {
  nlohmann::json line;
  std::string_view arrays;
  std::size_t bytes = 0;  // with its arrays and line feeds; 0: it is not whole
};

Record record_at(std::string_view rest, const std::string& where) {
  if (rest.substr(0, kBegin.size()) != kBegin.substr(0, rest.size()))
    throw Error(where, "no record of a measurement begins here", "it is not a file that ranks wrote, or is damaged");
  Record found;
  const std::size_t end = rest.find('\n');
  if (end == rest.npos) return found;
  found.line = parse_object(rest.substr(0, end), where);
  std::uint64_t values = 0;
  JsonFields(found.line, where).take("values", values);
  if (values >= rest.size() - end - 1) return found;
  found.arrays = rest.substr(end + 1, values);
  if (rest[end + 1 + values] != '\n')
    throw Error(where, "the record is longer or shorter than it says", "the file is damaged");
  found.bytes = end + values + 2;
  return found;
}

// The two that every record has.
void take_frame(JsonFields& fields, std::string& kind) {
  std::uint64_t values = 0;
  fields.take("kind", kind);
  fields.take("values", values);
}

void take_arrays(JsonFields& fields, std::string_view arrays, Cell& cell) {
  std::uint64_t seconds = 0, of_ranks = 0, flags = 0;
  fields.take("seconds", seconds);
  fields.take("of_ranks", of_ranks);
  fields.take("flags", flags);
  const std::uint64_t all = arrays.size();
  if (seconds > all || of_ranks > all || 8 * (seconds + of_ranks) + flags != all || flags != seconds)
    throw Error(fields.where(), "the counts of a cell do not fit its values", "the file is damaged");
  if (of_ranks != 0 && (seconds == 0 || of_ranks % seconds != 0))
    throw Error(fields.where(), "a cell has not the same ranks in each repetition", "the file is damaged");
  take_array(arrays, seconds, cell.seconds);
  take_array(arrays, of_ranks, cell.of_ranks);
  take_array(arrays, flags, cell.flags);
}

Cell cell_from(JsonFields& fields, std::string_view arrays) {
  Cell cell;
  fields.take("operation", cell.operation);
  fields.take("implementation", cell.implementation);
  fields.take("bytes", cell.bytes);
  fields.take("position", cell.position);
  fields.take("ranks", cell.ranks);
  fields.take("in_flight", cell.in_flight);
  fields.take("numbers", cell.numbers);
  fields.take("words", cell.words);
  fields.take("timing", cell.timing);
  fields.take("isolation", cell.isolation);
  fields.take("stop", cell.stop);
  fields.take("reached", cell.reached);
  fields.take("clock_bound_s", cell.clock_bound_s);
  fields.take("window_s", cell.window_s);
  fields.take("began_s", cell.began_s);
  take_arrays(fields, arrays, cell);
  return cell;
}

void take_begin(JsonFields& fields, Run& run) {
  fields.take("mpi", run.mpi);
  fields.take("library", run.library);
  fields.take("nodes", run.nodes);
  fields.take("per_node", run.per_node);
  fields.take("hosts", run.hosts);
  fields.take("node_of", run.node_of);
  fields.take("bindings", run.bindings);
  fields.take("created", run.created);
  fields.take("load_before", run.load_before);
  fields.take("boots", run.boots);
  fields.take("socket_of", run.socket_of);
}

void take_end(JsonFields& fields, Run& run) {
  fields.take("load_after", run.load_after);
  fields.take("stolen", run.stolen);
  fields.take("involuntary_switches", run.involuntary_switches);
  run.finished = true;
}

// What the records of one run add up to.
class RunReader {
 public:
  void read(const Record& record, const std::string& where) {
    JsonFields fields(record.line, where);
    std::string kind;
    take_frame(fields, kind);
    if (run_.finished) throw Error(where, "there is something behind the end of the run", "the file is damaged");
    if ((kind == "run") != !begun_)
      throw Error(where, begun_ ? "a second run begins" : "the run does not begin with what it is",
                  "it is not a file that ranks wrote, or is damaged");
    if (kind == "run") {
      take_begin(fields, run_);
      begun_ = true;
    } else if (kind == "cell") {
      pending_.push_back(cell_from(fields, record.arrays));
    } else if (kind == "note") {
      fields.take("text", notes_.emplace_back());
    } else if (kind == "expect") {  // for who watches the run
      double seconds = 0;
      fields.take("seconds", seconds);
    } else if (kind == "done") {
      fields.take("request", done_.emplace_back());
      cells_.insert(cells_.end(), std::make_move_iterator(pending_.begin()), std::make_move_iterator(pending_.end()));
      pending_.clear();
    } else if (kind == "end") {
      take_end(fields, run_);
    } else {
      throw Error(where, fmt::format("there are no records of kind '{}'", kind),
                  "files of another version are not read");
    }
    fields.finish();
  }

  std::vector<std::uint32_t> give(Campaign& into) && {
    const auto number = static_cast<std::uint32_t>(into.runs.size());
    for (Cell& cell : cells_) {
      cell.run = number;
      into.cells.push_back(std::move(cell));
    }
    into.runs.push_back(std::move(run_));
    into.notes.insert(into.notes.end(), notes_.begin(), notes_.end());
    return std::move(done_);
  }

 private:
  bool begun_ = false;
  Run run_;
  std::vector<Cell> cells_, pending_;  // pending: of the request that is under way
  std::vector<std::string> notes_;
  std::vector<std::uint32_t> done_;
};

}  // namespace

std::string cell_record(const Cell& cell) {
  Json line = {{"kind", "cell"},
               {"operation", cell.operation},
               {"implementation", cell.implementation},
               {"bytes", cell.bytes},
               {"position", cell.position},
               {"ranks", cell.ranks},
               {"in_flight", cell.in_flight},
               {"numbers", cell.numbers},
               {"words", cell.words},
               {"timing", cell.timing},
               {"isolation", cell.isolation},
               {"stop", cell.stop},
               {"reached", cell.reached},
               {"clock_bound_s", cell.clock_bound_s},
               {"window_s", cell.window_s},
               {"began_s", cell.began_s},
               {"seconds", cell.seconds.size()},
               {"of_ranks", cell.of_ranks.size()},
               {"flags", cell.flags.size()}};
  std::string arrays;
  append(arrays, cell.seconds);
  append(arrays, cell.of_ranks);
  append(arrays, cell.flags);
  return record(std::move(line), arrays);
}

std::vector<Cell> cells_of_records(std::string_view records) {
  std::vector<Cell> cells;
  while (!records.empty()) {
    const Record record = record_at(records, "cells of another rank");
    if (record.bytes == 0) throw Error("cells of another rank", "end too early");
    JsonFields fields(record.line, "cells of another rank");
    cells.push_back(cell_from(fields, record.arrays));
    records.remove_prefix(record.bytes);
  }
  return cells;
}

void write_run(std::FILE* to, const Run& run) {
  put(to, record({{"kind", "run"},
                  {"mpi", run.mpi},
                  {"library", run.library},
                  {"nodes", run.nodes},
                  {"per_node", run.per_node},
                  {"hosts", run.hosts},
                  {"node_of", run.node_of},
                  {"bindings", run.bindings},
                  {"created", run.created},
                  {"load_before", run.load_before},
                  {"boots", run.boots},
                  {"socket_of", run.socket_of}}));
}

void write_cell(std::FILE* to, const Cell& cell) { put(to, cell_record(cell)); }

void write_note(std::FILE* to, std::string_view text) { put(to, record({{"kind", "note"}, {"text", text}})); }

void write_expect(std::FILE* to, double seconds) { put(to, record({{"kind", "expect"}, {"seconds", seconds}})); }

void write_done(std::FILE* to, std::uint32_t request) { put(to, record({{"kind", "done"}, {"request", request}})); }

void write_end(std::FILE* to, const Run& run) {
  put(to, record({{"kind", "end"},
                  {"load_after", run.load_after},
                  {"stolen", run.stolen},
                  {"involuntary_switches", run.involuntary_switches}}));
}

std::vector<std::uint32_t> read_stream(const std::filesystem::path& path, Campaign& into) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw_system_error(path.string(), "cannot be read", errno);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  RunReader reader;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string where = fmt::format("{}: byte {}", path.string(), at);
    const Record record = record_at(std::string_view(bytes).substr(at), where);
    if (record.bytes == 0) break;
    reader.read(record, where);
    at += record.bytes;
  }
  return std::move(reader).give(into);
}

}  // namespace plumbline::bench
