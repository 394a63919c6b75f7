#include "viewer/export/paraver.hpp"
#include "viewer/index/matches/match_operations.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "runs_of_text.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"
#include "tests/viewer/index/random_runs.hpp"
#include "viewer/export/paraver_calls.hpp"

namespace plumbline::viewer {
namespace {

using replay::Programs;

struct Prv {
  std::string text;
  ExportSummary summary;
};

Prv prv_of(const Runs& runs) {
  std::ostringstream text;
  const ExportSummary summary = write_prv(runs, match_operations(runs.observed), "26/11/2026 at 09:30", text);
  return {text.str(), summary};
}

std::vector<std::vector<std::uint64_t>> records_of(const std::string& prv) {
  std::vector<std::vector<std::uint64_t>> records;
  std::istringstream lines(prv);
  std::string line, number;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    records.emplace_back();
    for (std::istringstream fields(line); std::getline(fields, number, ':');)
      records.back().push_back(std::stoull(number));
  }
  return records;
}

TEST(Paraver, RecordsOfALateSenderAreThese) {
  Programs programs;
  EXPECT_EQ(prv_of(late_sender(programs)).text,
            "#Paraver (26/11/2026 at 09:30):65000_ns:2(2,2):2:2(1:1,1:2):2(1:1,1:2)\n"
            // Before their first operations.
            "1:1:1:1:1:0:20000:2\n"
            "1:2:2:1:1:0:10000:2\n"
            // Receives: of the observed run (application 1), and of the expected one. State 3: waiting for a message.
            "1:3:1:2:1:0:30000:3\n"
            "2:3:1:2:1:0:50000001:2:95000001:1024:95000002:2000:95000004:11000\n"
            "1:4:2:2:1:0:17000:3\n"
            "2:4:2:2:1:0:50000001:2:95000001:1024\n"
            // The expected send, and its message, which is there at 17 us.
            "1:2:2:1:1:10000:14000:4\n"
            "2:2:2:1:1:10000:50000001:1:95000001:1024\n"
            "3:2:2:1:1:10000:10000:4:2:2:1:0:17000:1024:7\n"
            "2:2:2:1:1:14000:50000001:0:95000001:0\n"
            "1:2:2:1:1:14000:65000:0\n"
            "2:4:2:2:1:17000:50000001:0:95000001:0\n"
            "1:4:2:2:1:17000:27000:1\n"
            // The observed send.
            "1:1:1:1:1:20000:25000:4\n"
            "2:1:1:1:1:20000:50000001:1:95000001:1024:95000002:1000\n"
            "3:1:1:1:1:20000:20000:3:1:2:1:0:30000:1024:7\n"
            "2:1:1:1:1:25000:50000001:0:95000001:0:95000002:0\n"
            "1:1:1:1:1:25000:65000:0\n"
            // The expected write.
            "1:4:2:2:1:27000:32000:12\n"
            "2:4:2:2:1:27000:40000004:1002:95000001:4096\n"
            "2:3:1:2:1:30000:50000001:0:95000001:0:95000002:0:95000004:0\n"
            "1:3:1:2:1:30000:40000:1\n"
            "2:4:2:2:1:32000:40000004:0:95000001:0\n"
            "1:4:2:2:1:32000:65000:0\n"
            // The observed one.
            "1:3:1:2:1:40000:65000:12\n"
            "2:3:1:2:1:40000:40000004:1002:95000001:4096:95000002:5000:95000004:15000\n"
            "2:3:1:2:1:65000:40000004:0:95000001:0:95000002:0:95000004:0\n");
}

TEST(Paraver, OfTwoRunsThatDifferTheSecondHasWhatPairsAndMessagesOfWhichBothEndsDo) {
  Programs programs;
  const Prv prv = prv_of(differing_runs(programs));
  EXPECT_EQ(prv.summary.messages, 3U + 1U);
  EXPECT_EQ(prv.summary.backwards, 0U);
  std::map<std::uint64_t, std::size_t> begins, messages;  // by application
  for (const auto& record : records_of(prv.text)) {
    if (record[0] == 2 && record.at(7) != 0) ++begins[record.at(2)];
    if (record[0] == 3) ++messages[record.at(2)];
  }
  EXPECT_EQ(begins, (std::map<std::uint64_t, std::size_t>{{1, 8}, {2, 5}}));
  EXPECT_EQ(messages, (std::map<std::uint64_t, std::size_t>{{1, 3}, {2, 1}}));
}

TEST(Paraver, NamesOfRowsFollowTheirLevels) {
  Programs programs;
  std::ostringstream row;
  write_row(late_sender(programs), row);
  EXPECT_EQ(
      row.str(),
      "LEVEL CPU SIZE 4\n1.n0\n2.n0\n1.n1\n2.n1\n\n"
      "LEVEL NODE SIZE 2\nn0\nn1\n\n"
      "LEVEL APPL SIZE 2\nobserved: obs\nexpected: exp\n\n"
      "LEVEL TASK SIZE 4\nobserved rank 0 (n0)\nobserved rank 1 (n1)\nexpected rank 0 (n0)\nexpected rank 1 (n1)\n\n"
      "LEVEL THREAD SIZE 4\nobserved rank 0 (n0)\nobserved rank 1 (n1)\nexpected rank 0 (n0)\n"
      "expected rank 1 (n1)\n\n");
}

TEST(Paraver, CallsHaveTheNumbersThatExtraeGaveThem) {
  Programs programs;
  const replay::Program program = programs.parse(
      "ranks 1\nrank 0\nlocal MPI_Send\nlocal MPI_Reduce_scatter\nlocal MPI_Intercomm_merge\nlocal MPI_Testsome\n"
      "local MPI_Get_accumulate\nlocal MPI_File_write_at_all\nlocal MPI_Win_fence\nlocal MPI_Waitall\nlocal MPI_Init\n"
      "local read\nlocal MPI_Nothing_known\n");
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> events;
  const auto calls = paraver::events_of_calls(program);
  for (std::uint16_t i = 0; i < calls.size(); ++i)
    events[std::string(program.call(i))] = {calls[i].type, calls[i].value};
  const std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> expected{
      {"MPI_Send", {50000001, 1}},
      {"MPI_Reduce_scatter", {50000002, 80}},
      {"MPI_Intercomm_merge", {50000003, 97}},
      {"MPI_Testsome", {50000003, 128}},
      {"MPI_Get_accumulate", {50000004, 172}},
      {"MPI_File_write_at_all", {50000005, 150}},
      {"MPI_Win_fence", {50000004, 68}},
      {"MPI_Waitall", {50000001, 6}},
      {"MPI_Init", {50000003, 31}},
      {"read", {40000004, 1}},
      {"MPI_Nothing_known", {50000003, 1010}}};
  EXPECT_EQ(events, expected);
}

// Types, and values of calls, that the labels name; states.
struct Labels {
  std::set<std::uint64_t> types, states;
  std::set<std::pair<std::uint64_t, std::uint64_t>> values;
};

Labels labels_of(const Runs& runs) {
  std::ostringstream text;
  write_pcf(runs, text);
  Labels labels;
  std::istringstream lines(text.str());
  std::string line, section;
  std::uint64_t type = 0;
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    if (std::isdigit(static_cast<unsigned char>(line[0])) == 0) {
      section = line;
      continue;
    }
    std::istringstream fields(line);
    std::uint64_t first = 0;
    fields >> first;
    if (section == "STATES") labels.states.insert(first);
    if (section == "VALUES") labels.values.emplace(type, first);
    if (section == "EVENT_TYPE" && fields >> type) labels.types.insert(type);
  }
  return labels;
}

// Where each record begins: time of states and events, logical send of messages.
std::uint64_t time_of(const std::vector<std::uint64_t>& record) { return record.at(5); }

void expect_readable(const Runs& runs) {
  const Prv prv = prv_of(runs);
  const Labels labels = labels_of(runs);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> covered;  // by application and task
  std::uint64_t calls = 0, messages = 0, now = 0, length = 0;
  for (const auto& record : records_of(prv.text)) {
    EXPECT_GE(time_of(record), now) << "records are in order of time";
    now = std::max(now, time_of(record));
    std::uint64_t& end = covered[{record.at(2), record.at(3)}];
    if (record[0] == 1) {
      EXPECT_EQ(time_of(record), end) << "states leave no gap";
      EXPECT_GT(record.at(6), time_of(record));
      EXPECT_TRUE(labels.states.contains(record.at(7)));
      length = std::max(length, end = record[6]);
    }
    for (std::size_t i = 6; record[0] == 2 && i + 1 < record.size(); i += 2) {
      EXPECT_TRUE(labels.types.contains(record[i]));
      EXPECT_TRUE(record[i] >= 95000000 || labels.values.contains({record[i], record[i + 1]}));
      if (i == 6 && record[i + 1] != 0) ++calls;
    }
    if (record[0] != 3) continue;
    ++messages;
    EXPECT_LE(time_of(record), record.at(12)) << "no message is there before it was sent";
  }
  for (const auto& [row, end] : covered) EXPECT_EQ(end, length) << "states reach to the end";
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
    operations += runs.observed.rank(rank).operations.size();
  EXPECT_EQ(calls, operations * 2) << "in each run, no poll is left out of an expected one";
  EXPECT_EQ(messages, prv.summary.messages);
  EXPECT_EQ(prv.summary.operations, operations);
}

TEST(Paraver, RandomRunsAreInOrderWithoutGapsAndEveryNumberHasAName) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE("PLUMBLINE_SEED=" + std::to_string(seed));
  const test::TemporaryDirectory directory;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(test::cases(60)); ++i)
    expect_readable(random_pair(seed + i, directory / "program"));
}

TEST(Paraver, EveryMessageThatCanBeDrawnIsACommunication) {
  std::mt19937_64 random = printed_random();
  Programs programs;
  for (int i = 0; i < test::cases(60); ++i) {
    const RandomMessages given = random_messages(programs, random);
    const Prv prv = prv_of(given.runs);
    EXPECT_EQ(prv.summary.messages + prv.summary.backwards, 2 * given.messages);
    expect_readable(given.runs);
  }
}

TEST(Paraver, TimesOfAReferenceInAnyOrderAreStillInOrder) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int i = 0; i < test::cases(20); ++i)
    expect_readable(random_runs(directory / "program", {.operations = 60, .free_in_order = false}, random));
}

}  // namespace
}  // namespace plumbline::viewer
