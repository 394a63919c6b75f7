// The functions of plumbline/choose.h.

#include <cerrno>
#include <exception>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "bench/choose/chooser.hpp"

struct plumbline_chooser : plumbline::bench::choose::Chooser {
  using Chooser::Chooser;
};

namespace plumbline::bench::choose {
namespace {

constexpr std::size_t kSizes[] = {4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};

// What `act` throws as a code, and in words.
template <class Act>
int guarded(std::string& problem, int code_of_error, Act act) {
  try {
    return act();
  } catch (const MpiFailure& failure) {
    problem = failure.code == PLUMBLINE_BAD_SETTING
                  ? "a setting of measuring that cannot be"
                  : "error " + std::to_string(failure.code) + " of MPI or of a candidate";
    return failure.code;
  } catch (const Error& error) {
    problem = error.what();
    return code_of_error;
  } catch (const std::exception& other) {
    problem = other.what();
    return MPI_ERR_OTHER;
  }
}

// The one call that is timed by programs: no text is made.
int run(const plumbline_chooser* chooser, const Arguments& arguments) {
  try {
    return chooser->call(arguments);
  } catch (const MpiFailure& failure) {
    return failure.code;
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
}

// From rank 0 to all; the length first.
void share(std::string& text, MPI_Comm comm) {
  auto length = static_cast<std::int64_t>(text.size());
  must(MPI_Bcast(&length, 1, MPI_INT64_T, 0, comm));
  text.resize(static_cast<std::size_t>(length));
  must(MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm));
}

// What went wrong on rank 0, or nothing, is everybody's.
void agree_on(std::string problem, MPI_Comm comm) {
  share(problem, comm);
  if (!problem.empty()) throw Error({}, problem);
}

std::string contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw_system_error(path, "cannot be read", errno);
  return text;
}

template <class Act>
std::string problem_of(Act act) {
  try {
    act();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

void write(const plumbline_chooser& chooser, const char* path) {
  agree_on(chooser.rank() != 0 ? std::string() : problem_of([&] { write_file(path, chooser.text(), Overwrite::kYes); }),
           chooser.comm());
}

ChoicesFile read_choices(const plumbline_chooser& chooser, const char* path) {
  std::string text, problem;
  if (chooser.rank() == 0) problem = problem_of([&] { text = contents(path); });
  agree_on(problem, chooser.comm());
  share(text, chooser.comm());
  return parse_choices(text, path);
}

}  // namespace
}  // namespace plumbline::bench::choose

using namespace plumbline::bench;
using namespace plumbline::bench::choose;

extern "C" {

plumbline_choosing plumbline_default_choosing(void) {
  plumbline_choosing choosing{};
  choosing.measuring = plumbline_default_settings();
  choosing.measuring.warm_up = 2;
  choosing.rounds = 9;
  choosing.repetitions = 10;
  choosing.chance = 0.01;
  choosing.gain = 0.05;
  choosing.hopeless = 3;
  return choosing;
}

int plumbline_make_chooser(MPI_Comm comm, int with_ours, plumbline_chooser** chooser) {
  *chooser = nullptr;
  std::string problem;
  return guarded(problem, MPI_ERR_OTHER, [&] {
    *chooser = new plumbline_chooser(comm, with_ours != PLUMBLINE_WITHOUT_OURS);
    return MPI_SUCCESS;
  });
}

void plumbline_free_chooser(plumbline_chooser* chooser) { delete chooser; }

int plumbline_add_candidate(plumbline_chooser* chooser, const plumbline_candidate* candidate) {
  return guarded(chooser->problem, PLUMBLINE_BAD_SETTING, [&] {
    chooser->add(*candidate);
    return MPI_SUCCESS;
  });
}

int plumbline_choose(plumbline_chooser* chooser, plumbline_collective collective, const size_t* sizes, size_t count,
                     const plumbline_choosing* choosing) {
  return guarded(chooser->problem, PLUMBLINE_BAD_SETTING, [&] {
    if (static_cast<std::size_t>(collective) >= kCollectives)
      throw plumbline::Error("plumbline_choose", "no such collective");
    const std::span<const std::size_t> asked = count == 0 ? std::span(kSizes) : std::span(sizes, count);
    chooser->choose(collective, asked, choosing != nullptr ? *choosing : plumbline_default_choosing());
    return MPI_SUCCESS;
  });
}

int plumbline_write_choices(plumbline_chooser* chooser, const char* path) {
  return guarded(chooser->problem, PLUMBLINE_NO_CHOICES, [&] {
    write(*chooser, path);
    return MPI_SUCCESS;
  });
}

int plumbline_read_choices(plumbline_chooser* chooser, const char* path) {
  return guarded(chooser->problem, PLUMBLINE_NO_CHOICES, [&] {
    const ChoicesFile file = read_choices(*chooser, path);
    return guarded(chooser->problem, PLUMBLINE_OTHER_CHOICES, [&] {
      chooser->take(file, path);
      return MPI_SUCCESS;
    });
  });
}

size_t plumbline_choices(const plumbline_chooser* chooser, plumbline_collective collective,
                         const plumbline_choice** choices) {
  const auto all = chooser->choices(collective);
  *choices = all.data();
  return all.size();
}

const char* plumbline_chosen(const plumbline_chooser* chooser, plumbline_collective collective, size_t bytes) {
  return chooser->chosen(collective, bytes);
}

const char* plumbline_problem(const plumbline_chooser* chooser) { return chooser->problem.c_str(); }

int plumbline_bcast(void* data, int count, MPI_Datatype type, int root, plumbline_chooser* chooser) {
  return run(chooser, {PLUMBLINE_BCAST, nullptr, 0, type, data, count, type, MPI_OP_NULL, root});
}

int plumbline_scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, int root, plumbline_chooser* chooser) {
  return run(chooser,
             {PLUMBLINE_SCATTER, send, send_count, send_type, receive, receive_count, receive_type, MPI_OP_NULL, root});
}

int plumbline_gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                     MPI_Datatype receive_type, int root, plumbline_chooser* chooser) {
  return run(chooser,
             {PLUMBLINE_GATHER, send, send_count, send_type, receive, receive_count, receive_type, MPI_OP_NULL, root});
}

int plumbline_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                        MPI_Datatype receive_type, plumbline_chooser* chooser) {
  return run(chooser,
             {PLUMBLINE_ALLGATHER, send, send_count, send_type, receive, receive_count, receive_type, MPI_OP_NULL, 0});
}

int plumbline_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                       MPI_Datatype receive_type, plumbline_chooser* chooser) {
  return run(chooser,
             {PLUMBLINE_ALLTOALL, send, send_count, send_type, receive, receive_count, receive_type, MPI_OP_NULL, 0});
}

int plumbline_reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                     plumbline_chooser* chooser) {
  return run(chooser, {PLUMBLINE_REDUCE, send, count, type, receive, count, type, op, root});
}

int plumbline_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                        plumbline_chooser* chooser) {
  return run(chooser, {PLUMBLINE_ALLREDUCE, send, count, type, receive, count, type, op, 0});
}

int plumbline_reduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype type, MPI_Op op,
                                   plumbline_chooser* chooser) {
  return run(chooser, {PLUMBLINE_REDUCE_SCATTER_BLOCK, send, receive_count, type, receive, receive_count, type, op, 0});
}

int plumbline_scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                   plumbline_chooser* chooser) {
  return run(chooser, {PLUMBLINE_SCAN, send, count, type, receive, count, type, op, 0});
}

}  // extern "C"
