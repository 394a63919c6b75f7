// What the chooser must do, tried inside of an MPI job. Differences between candidates are injected, so that the truth
// is known on any machine.

#include <fmt/format.h>
#include <mpi.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/algorithms/table.hpp"
#include "bench/library/mpi_calls.hpp"
#include "bench/library/plumbline/choose.h"
#include "tests/bench/mpi_cases.hpp"

namespace {

namespace algorithms = plumbline::bench::algorithms;
using plumbline::bench::now_ns;
using plumbline::test::directory;
using plumbline::test::rank;
using plumbline::test::size;

struct OwnChooser {
  explicit OwnChooser(int with_ours = PLUMBLINE_WITHOUT_OURS) {
    EXPECT(plumbline_make_chooser(MPI_COMM_WORLD, with_ours, &chooser) == MPI_SUCCESS, "made");
  }
  ~OwnChooser() { plumbline_free_chooser(chooser); }
  operator plumbline_chooser*() const { return chooser; }
  plumbline_chooser* chooser = nullptr;
};

plumbline_candidate broadcast_called(const char* name, int (*bcast)(void*, int, MPI_Datatype, int, MPI_Comm)) {
  plumbline_candidate candidate{};
  candidate.name = name;
  candidate.bcast = bcast;
  return candidate;
}

int same_broadcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return MPI_Bcast(data, count, type, root, comm);
}

void wait_for(double seconds) {
  const std::int64_t end = now_ns() + static_cast<std::int64_t>(seconds * 1e9);
  while (now_ns() < end) {
  }
}

int late_broadcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (rank == root) wait_for(1e-3);
  return MPI_Bcast(data, count, type, root, comm);
}

// Nothing is faster than nothing: for small messages; late for large ones.
int fast_for_small(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return count < 1000 ? MPI_SUCCESS : late_broadcast(data, count, type, root, comm);
}

int fails_at_the_end(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int code = MPI_Bcast(data, count, type, root, comm);
  return rank == size - 1 ? MPI_ERR_OTHER : code;
}

// Rounds enough for some of them to be disturbed by other programs.
void choose_broadcast(plumbline_chooser* chooser, const std::vector<std::size_t>& sizes, int expected = MPI_SUCCESS) {
  plumbline_choosing choosing = plumbline_default_choosing();
  choosing.rounds = 21;
  choosing.chance = 2e-3;
  const int code = plumbline_choose(chooser, PLUMBLINE_BCAST, sizes.data(), sizes.size(), &choosing);
  EXPECT(code == expected, "{}: {}", code, plumbline_problem(chooser));
}

std::string chosen_broadcast(plumbline_chooser* chooser, std::size_t bytes) {
  return plumbline_chosen(chooser, PLUMBLINE_BCAST, bytes);
}

// Neither one that is late nor one that is the same.
void keeps_the_librarys() {
  OwnChooser chooser;
  const plumbline_candidate late = broadcast_called("late", late_broadcast);
  const plumbline_candidate same = broadcast_called("same", same_broadcast);
  EXPECT(plumbline_add_candidate(chooser, &late) == MPI_SUCCESS, "added");
  EXPECT(plumbline_add_candidate(chooser, &same) == MPI_SUCCESS, "added");
  choose_broadcast(chooser, {8, 65536});
  EXPECT(chosen_broadcast(chooser, 8) == "library", "{}", chosen_broadcast(chooser, 8));
  EXPECT(chosen_broadcast(chooser, 65536) == "library", "{}", chosen_broadcast(chooser, 65536));
  const plumbline_choice* choices = nullptr;
  EXPECT(plumbline_choices(chooser, PLUMBLINE_BCAST, &choices) == 2, "two sizes");
  EXPECT(choices[1].bytes == 65536 && choices[1].seconds > 0 && choices[1].seconds == choices[1].library_seconds,
         "{} {} {}", choices[1].bytes, choices[1].seconds, choices[1].library_seconds);
}

void takes_what_is_faster_where_it_is() {
  OwnChooser chooser;
  const plumbline_candidate fast = broadcast_called("fast", fast_for_small);
  plumbline_add_candidate(chooser, &fast);
  EXPECT(chosen_broadcast(chooser, 8) == "library", "nothing is chosen yet");
  choose_broadcast(chooser, {4096, 8});
  EXPECT(chosen_broadcast(chooser, 8) == "fast", "{}", chosen_broadcast(chooser, 8));
  EXPECT(chosen_broadcast(chooser, 4096) == "library", "{}", chosen_broadcast(chooser, 4096));
  const plumbline_choice* choices = nullptr;
  plumbline_choices(chooser, PLUMBLINE_BCAST, &choices);
  EXPECT(choices[0].seconds < choices[0].library_seconds, "{} {}", choices[0].seconds, choices[0].library_seconds);

  // It is what is called: nothing arrives.
  int number = rank == 0 ? 7 : 0;
  EXPECT(plumbline_bcast(&number, 1, MPI_INT, 0, chooser) == MPI_SUCCESS, "called");
  EXPECT(number == (rank == 0 ? 7 : 0), "{}", number);
  std::vector<int> numbers(1024, rank == 0 ? 7 : 0);
  plumbline_bcast(numbers.data(), 1024, MPI_INT, 0, chooser);
  EXPECT(numbers.back() == 7, "{}", numbers.back());
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string in_directory(const char* name) { return directory + "/" + name; }

// By rank 0, before anybody goes on.
void write_text(const std::string& path, const std::string& text) {
  if (rank == 0) std::ofstream(path) << text;
  MPI_Barrier(MPI_COMM_WORLD);
}

// All that is said and called is the same on all ranks.
void is_the_same_on_every_rank() {
  OwnChooser chooser(PLUMBLINE_WITH_OURS);
  const std::size_t bytes = 4096;
  std::string all;
  for (int i = PLUMBLINE_BCAST; i <= PLUMBLINE_SCAN; ++i) {
    const auto collective = static_cast<plumbline_collective>(i);
    plumbline_choosing choosing = plumbline_default_choosing();
    choosing.rounds = 7;
    choosing.repetitions = 2;
    EXPECT(plumbline_choose(chooser, collective, &bytes, 1, &choosing) == MPI_SUCCESS, "{}",
           plumbline_problem(chooser));
    const plumbline_choice* choices = nullptr;
    const std::size_t count = plumbline_choices(chooser, collective, &choices);
    for (std::size_t k = 0; k < count; ++k)
      all += fmt::format("{} {} {} {} {}\n", i, choices[k].bytes, choices[k].name, choices[k].seconds,
                         choices[k].library_seconds);
  }
  std::string of_first = all;
  int length = static_cast<int>(all.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  of_first.resize(static_cast<std::size_t>(length));
  MPI_Bcast(of_first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT(all == of_first, "{} instead of {}", all, of_first);
  if (rank == 0) fmt::print("{}", all);
}

std::string heading(plumbline_chooser* chooser) {
  const std::string path = in_directory("heading");
  EXPECT(plumbline_write_choices(chooser, path.c_str()) == MPI_SUCCESS, "{}", plumbline_problem(chooser));
  MPI_Barrier(MPI_COMM_WORLD);
  return contents(path);
}

// What is read is what was written, and by whom it was not written is told.
void files() {
  OwnChooser first, second;
  const std::string path = in_directory("choices"), broken = in_directory("broken");
  const plumbline_candidate fast = broadcast_called("fast", fast_for_small);
  plumbline_add_candidate(first, &fast);
  choose_broadcast(first, {8, 4096});
  EXPECT(plumbline_write_choices(first, path.c_str()) == MPI_SUCCESS, "{}", plumbline_problem(first));

  const auto read = [&](const std::string& from, int expected, const char* problem) {
    const int code = plumbline_read_choices(second, from.c_str());
    const std::string told = plumbline_problem(second);
    EXPECT(code == expected && (code == MPI_SUCCESS || told.find(problem) != std::string::npos), "{}: {}", code, told);
  };
  read(path, PLUMBLINE_OTHER_CHOICES, "bcast has no implementation 'fast' here");
  plumbline_add_candidate(second, &fast);
  read(path, MPI_SUCCESS, "");
  EXPECT(chosen_broadcast(second, 8) == "fast" && chosen_broadcast(second, 4096) == "library", "as written");

  const std::string text = contents(path);
  const auto with = [&](const std::string& what, const std::string& instead) {
    std::string changed = text;
    changed.replace(changed.find(what), what.size(), instead);
    write_text(broken, changed);
  };
  with(fmt::format("ranks {}", size), fmt::format("ranks {}", size + 1));
  read(broken, PLUMBLINE_OTHER_CHOICES, fmt::format("was measured with {} ranks", size + 1).c_str());
  with("library ", "library X");
  read(broken, PLUMBLINE_OTHER_CHOICES, "under 'X");
  with("bcast 8 ", "cast 8 ");
  read(broken, PLUMBLINE_NO_CHOICES, "broken:6: 'cast' is no collective");
  with("bcast 8 ", "bcast 80000 ");
  read(broken, PLUMBLINE_NO_CHOICES, "broken:7: sizes do not ascend");
  with("fast ", "\n");
  read(broken, PLUMBLINE_NO_CHOICES, "broken:6: no name of an implementation");
  with("plumbline choices 1", "plumbline choices 2");
  read(broken, PLUMBLINE_NO_CHOICES, "begins with no line");
  read(in_directory("absent"), PLUMBLINE_NO_CHOICES, "absent: cannot be read: No such file");
  read(directory, PLUMBLINE_NO_CHOICES, "");
  EXPECT(chosen_broadcast(second, 8) == "fast", "what could not be read changed nothing");
  EXPECT(plumbline_write_choices(first, in_directory("no/such/place").c_str()) == PLUMBLINE_NO_CHOICES, "{}",
         plumbline_problem(first));
}

// M[i] <= bytes < M[i + 1].
void sizes() {
  OwnChooser chooser(PLUMBLINE_WITH_OURS);
  const std::string path = in_directory("sizes");
  write_text(path, heading(chooser) + "bcast 100 linear 1 2\nbcast 1000 chain 1 2\n");
  EXPECT(plumbline_read_choices(chooser, path.c_str()) == MPI_SUCCESS, "{}", plumbline_problem(chooser));
  const std::pair<std::size_t, const char*> expected[] = {{0, "linear"},   {99, "linear"},  {100, "linear"},
                                                          {999, "linear"}, {1000, "chain"}, {1 << 30, "chain"}};
  for (const auto& [bytes, name] : expected)
    EXPECT(chosen_broadcast(chooser, bytes) == name, "{}: {}", bytes, chosen_broadcast(chooser, bytes));
}

void bad_input() {
  OwnChooser chooser(PLUMBLINE_WITH_OURS);
  const auto refuses = [&](const plumbline_candidate& candidate) {
    EXPECT(plumbline_add_candidate(chooser, &candidate) == PLUMBLINE_BAD_SETTING, "{}", candidate.name);
    EXPECT(*plumbline_problem(chooser) != '\0', "says why");
  };
  refuses(broadcast_called("library", same_broadcast));
  refuses(broadcast_called("binomial", same_broadcast));
  refuses(broadcast_called("two words", same_broadcast));
  refuses(broadcast_called("", same_broadcast));
  refuses(broadcast_called("nothing", nullptr));
  const std::size_t bytes = 8;
  plumbline_choosing choosing = plumbline_default_choosing();
  choosing.rounds = 3;
  EXPECT(plumbline_choose(chooser, PLUMBLINE_BCAST, &bytes, 1, &choosing) == PLUMBLINE_BAD_SETTING, "too few rounds");
  EXPECT(std::strstr(plumbline_problem(chooser), "3 rounds cannot tell") != nullptr, "{}", plumbline_problem(chooser));
  choosing = plumbline_default_choosing();
  choosing.measuring.root = size;
  EXPECT(plumbline_choose(chooser, PLUMBLINE_BCAST, &bytes, 1, &choosing) == PLUMBLINE_BAD_SETTING, "no such root");
  const plumbline_candidate failing = broadcast_called("failing", fails_at_the_end);
  EXPECT(plumbline_add_candidate(chooser, &failing) == MPI_SUCCESS, "{}", plumbline_problem(chooser));
  choose_broadcast(chooser, {8}, MPI_ERR_OTHER);
}

// Pairs of ints; their own kind on each rank, so that ranks describe the same data otherwise.
struct Numbers {
  explicit Numbers(int blocks) : values(static_cast<std::size_t>(blocks) * 6, -1) {
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_create_resized(gaps, 0, 6 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Type_contiguous(2, MPI_INT, &packed);
    MPI_Type_commit(&packed);
    const int one_each[] = {1, 1}, last_first[] = {1, 0};
    MPI_Type_indexed(2, one_each, last_first, MPI_INT, &turned);
    MPI_Type_commit(&turned);
  }
  ~Numbers() {
    MPI_Type_free(&gaps);
    MPI_Type_free(&spaced);
    MPI_Type_free(&packed);
    MPI_Type_free(&turned);
  }
  void number(int from) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = from + static_cast<int>(i);
  }
  MPI_Datatype of(int which) const { return which % 3 == 0 ? spaced : which % 3 == 1 ? turned : packed; }

  std::vector<int> values;
  MPI_Datatype gaps = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL, packed = MPI_DATATYPE_NULL,
               turned = MPI_DATATYPE_NULL;  // without gaps, but the other way round
};

// Each call once by MPI and once by the chooser, with the same arguments; what is received must be equal.
template <class ByMpi, class ByChooser>
void expect_equal(const char* what, const char* implementation, int blocks, ByMpi by_mpi, ByChooser by_chooser) {
  Numbers expected(blocks), found(blocks);
  expected.number(1000 * (rank + 1));
  found.number(1000 * (rank + 1));
  by_mpi(expected);
  EXPECT(by_chooser(found) == MPI_SUCCESS, "{} {}", what, implementation);
  EXPECT(expected.values == found.values, "{} {}: {} instead of {}", what, implementation, fmt::join(found.values, " "),
         fmt::join(expected.values, " "));
}

void keep_the_first(void* in, void* inout, int* count, MPI_Datatype*) {  // does not commute
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] = static_cast<int*>(in)[i];
}

void compare_moving(plumbline_collective collective, const char* name, plumbline_chooser* chooser, int root) {
  Numbers own(size);
  own.number(100 * rank);
  const void* send = own.values.data();
  const MPI_Datatype here = own.of(rank), there = own.of(rank + root);
  const auto compare = [&](const char* what, int blocks, auto by_mpi, auto by_chooser) {
    expect_equal(what, name, blocks, by_mpi, by_chooser);
  };
  const MPI_Comm world = MPI_COMM_WORLD;
  switch (collective) {
    case PLUMBLINE_BCAST:
      compare(
          "bcast", 1, [&](Numbers& n) { MPI_Bcast(n.values.data(), 1, n.of(rank), root, world); },
          [&](Numbers& n) { return plumbline_bcast(n.values.data(), 1, n.of(rank), root, chooser); });
      break;
    case PLUMBLINE_SCATTER: {
      compare(
          "scatter", 1,
          [&](Numbers& n) { MPI_Scatter(send, 1, here, n.values.data(), 1, n.of(rank + root), root, world); },
          [&](Numbers& n) {
            return plumbline_scatter(send, 1, here, n.values.data(), 1, n.of(rank + root), root, chooser);
          });
      const auto place = [&](Numbers& n) { return rank == root ? MPI_IN_PLACE : n.values.data(); };
      compare(
          "scatter in place", 1, [&](Numbers& n) { MPI_Scatter(send, 1, here, place(n), 1, n.of(rank), root, world); },
          [&](Numbers& n) { return plumbline_scatter(send, 1, here, place(n), 1, n.of(rank), root, chooser); });
      break;
    }
    case PLUMBLINE_GATHER: {
      compare(
          "gather", size, [&](Numbers& n) { MPI_Gather(send, 1, there, n.values.data(), 1, n.of(rank), root, world); },
          [&](Numbers& n) { return plumbline_gather(send, 1, there, n.values.data(), 1, n.of(rank), root, chooser); });
      const void* place = rank == root ? MPI_IN_PLACE : send;
      compare(
          "gather in place", size,
          [&](Numbers& n) { MPI_Gather(place, 1, there, n.values.data(), 1, n.of(rank), root, world); },
          [&](Numbers& n) { return plumbline_gather(place, 1, there, n.values.data(), 1, n.of(rank), root, chooser); });
      break;
    }
    case PLUMBLINE_ALLGATHER:
      for (const void* from : {send, static_cast<const void*>(MPI_IN_PLACE)})
        compare(
            from == send ? "allgather" : "allgather in place", size,
            [&](Numbers& n) { MPI_Allgather(from, 1, there, n.values.data(), 1, n.of(rank), world); },
            [&](Numbers& n) { return plumbline_allgather(from, 1, there, n.values.data(), 1, n.of(rank), chooser); });
      break;
    case PLUMBLINE_ALLTOALL:
      for (const void* from : {send, static_cast<const void*>(MPI_IN_PLACE)})
        compare(
            from == send ? "alltoall" : "alltoall in place", size,
            [&](Numbers& n) { MPI_Alltoall(from, 1, there, n.values.data(), 1, n.of(rank), world); },
            [&](Numbers& n) { return plumbline_alltoall(from, 1, there, n.values.data(), 1, n.of(rank), chooser); });
      break;
    default:
      break;
  }
}

void compare_reducing(plumbline_collective collective, const char* name, plumbline_chooser* chooser, int root) {
  Numbers own(size);
  own.number(100 * rank);
  MPI_Op first = MPI_OP_NULL;
  MPI_Op_create(keep_the_first, 0, &first);
  const struct {
    const char* what;
    MPI_Datatype type;  // of pairs: an int beside an int
    MPI_Op op;
    int count;
  } kinds[] = {{"sum", MPI_INT, MPI_SUM, 3}, {"place", MPI_2INT, MPI_MAXLOC, 1}, {"first", MPI_INT, first, 2}};
  const MPI_Comm world = MPI_COMM_WORLD;
  for (const auto& kind : kinds) {
    for (const void* from : {static_cast<const void*>(own.values.data()), static_cast<const void*>(MPI_IN_PLACE)}) {
      const std::string what = std::string(kind.what) + (from == MPI_IN_PLACE ? " in place" : "");
      const void* mine =
          collective == PLUMBLINE_REDUCE && rank != root ? static_cast<const void*>(own.values.data()) : from;
      const int n_ = kind.count;
      expect_equal(
          what.c_str(), name, size,
          [&](Numbers& n) {
            void* to = n.values.data();
            if (collective == PLUMBLINE_REDUCE) MPI_Reduce(mine, to, n_, kind.type, kind.op, root, world);
            if (collective == PLUMBLINE_ALLREDUCE) MPI_Allreduce(mine, to, n_, kind.type, kind.op, world);
            if (collective == PLUMBLINE_SCAN) MPI_Scan(mine, to, n_, kind.type, kind.op, world);
            if (collective == PLUMBLINE_REDUCE_SCATTER_BLOCK)
              MPI_Reduce_scatter_block(mine, to, n_, kind.type, kind.op, world);
            // In place the rest of the buffer is nobody's.
            if (collective == PLUMBLINE_REDUCE_SCATTER_BLOCK) n.values.resize(2);
          },
          [&](Numbers& n) {
            void* to = n.values.data();
            int code = MPI_SUCCESS;
            if (collective == PLUMBLINE_REDUCE)
              code = plumbline_reduce(mine, to, n_, kind.type, kind.op, root, chooser);
            if (collective == PLUMBLINE_ALLREDUCE)
              code = plumbline_allreduce(mine, to, n_, kind.type, kind.op, chooser);
            if (collective == PLUMBLINE_SCAN) code = plumbline_scan(mine, to, n_, kind.type, kind.op, chooser);
            if (collective == PLUMBLINE_REDUCE_SCATTER_BLOCK) {
              code = plumbline_reduce_scatter_block(mine, to, n_, kind.type, kind.op, chooser);
              n.values.resize(2);
            }
            return code;
          });
    }
  }
  MPI_Op_free(&first);
}

// Datatypes that differ between ranks, MPI_IN_PLACE, operators: by each of ours, which a file says is to be called.
void calls() {
  OwnChooser chooser(PLUMBLINE_WITH_OURS);
  const std::string begin = heading(chooser), path = in_directory("calls");
  for (int i = PLUMBLINE_BCAST; i <= PLUMBLINE_SCAN; ++i) {
    const auto collective = static_cast<plumbline_collective>(i);
    const auto operation = static_cast<algorithms::Operation>(i);
    for (const algorithms::Implementation& each : algorithms::implementations_of(operation)) {
      if (!each.works_with(size)) continue;
      write_text(path, begin + fmt::format("{} 0 {} 1 2\n", name_of(operation), each.name));
      EXPECT(plumbline_read_choices(chooser, path.c_str()) == MPI_SUCCESS, "{}", plumbline_problem(chooser));
      EXPECT(plumbline_chosen(chooser, collective, 8) == each.name, "{}", each.name);
      for (const int root : {0, size - 1}) {
        compare_moving(collective, each.name.data(), chooser, root);
        if (collective >= PLUMBLINE_REDUCE) compare_reducing(collective, each.name.data(), chooser, root);
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return plumbline::test::run_cases(argc, argv,
                                    {{"keeps_the_librarys", keeps_the_librarys},
                                     {"takes_what_is_faster_where_it_is", takes_what_is_faster_where_it_is},
                                     {"is_the_same_on_every_rank", is_the_same_on_every_rank},
                                     {"files", files},
                                     {"sizes", sizes},
                                     {"bad_input", bad_input},
                                     {"calls", calls}});
}
