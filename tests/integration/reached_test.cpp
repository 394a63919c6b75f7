// Programs that stand in the way of recording, or that nothing can be recorded of: it works, or the reason is told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

class Reached : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    if (!GetParam().installed()) GTEST_SKIP() << "mpirun." << GetParam().name << " is not installed";
  }
  std::string mpicc() const { return "mpicc." + GetParam().name; }
  std::string example(const std::string& program) const { return GetParam().example(program); }
  std::string traced_program(const std::string& program) const {
    return std::string(BUILD_DIRECTORY) + "/bin/traced/" + GetParam().name + "/" + program;
  }
  CommandResult shell(const std::string& command) const { return run_command(command, directory_.path()); }
  CommandResult record(int ranks, const std::string& program, const std::string& before = "",
                       const std::string& options = "-o obs") const {
    return shell(before + kPlumbline + " record " + options + " -- " + GetParam().run(ranks, program));
  }
  void expect_recorded(const CommandResult& done, const std::string& what = "2 ranks") const {
    EXPECT_EQ(done.status, 0) << text_of(done);
    EXPECT_CONTAINS(done.err, "plumbline: " + what);
  }
  // Two ranks that exchange a message; whatever libraries are needed are in place.
  void write_program(const std::string& name) const {
    std::ofstream(directory_ / name) << R"(#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, in = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  volatile int* cell = malloc(sizeof *cell);
  if (argc > 1 && rank == 0) cell[atoi(argv[1])] = in;
  free((void*)cell);
  return MPI_Finalize();
}
)";
  }

  TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, Reached, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param.name; });

// ---- Sanitizers, seen by nobody in front of the launcher

TEST_P(Reached, AProgramWithAddressSanitizerIsRecordedAndStillFindsItsFaults) {
  write_program("a.c");
  ASSERT_EQ(shell(mpicc() + " -g -fsanitize=address -o a a.c").status, 0);
  std::ofstream(directory_ / "start.sh") << "#!/bin/sh\nexec ./a \"$@\"\n";
  const std::string options = "ASAN_OPTIONS=detect_leaks=0 ";
  const CommandResult done = record(2, "env X=1 sh ./start.sh", options);
  expect_recorded(done);
  EXPECT_CONTAINS(done.err, "-fsanitize=address");
  EXPECT_EQ(done.err.find("-fsanitize="), done.err.rfind("-fsanitize=")) << done.err;
  EXPECT_LACKS(done.err, "ASan runtime does not come first");
  const CommandResult fault = record(2, "sh ./start.sh 1", options, "-o faulty");
  EXPECT_NE(fault.status, 0);
  EXPECT_CONTAINS(fault.out + fault.err, "heap-buffer-overflow");
}

TEST_P(Reached, ProgramsWithOtherSanitizersAndOfClangAreRecorded) {
  write_program("a.c");
  const std::string clang = shell("command -v clang").status == 0 ? "OMPI_CC=clang MPICH_CC=clang " : "";
  const std::string build = fmt::format("{}{} -g -fsanitize={{}} -o a a.c", clang, mpicc());
  for (const std::string sanitizer : {"undefined", "thread", "address"}) {
    SCOPED_TRACE(sanitizer);
    if (shell(fmt::format(fmt::runtime(build), sanitizer)).status != 0) continue;  // its run-time library is missing
    if (shell(GetParam().run(2, "./a")).status != 0) continue;                     // it does not run here plain either
    expect_recorded(record(2, "./a", "ASAN_OPTIONS=detect_leaks=0 ", "-o " + sanitizer));
  }
}

// ---- What else is preloaded

TEST_P(Reached, WhatIsPreloadedBehindTheLauncherDoesNotPutTheTracerOut) {
  const std::string layer = traced_program("layer");
  for (const std::string& command : {"env LD_PRELOAD=" + layer + " " + traced_program("layered"),
                                     std::string("sh ./start.sh"), std::string("env -u LD_PRELOAD sh ./start.sh")}) {
    SCOPED_TRACE(command);
    std::ofstream(directory_ / "start.sh") << "LD_PRELOAD=" + layer + "\nexport LD_PRELOAD\n"
                                           << traced_program("layered") << "\n";
    const CommandResult done = record(2, command, "", "--force -o obs");
    expect_recorded(done);
    EXPECT_CONTAINS(done.out, "layer of rank 0: 3 isends, 1 sends, 2 barriers");
  }
}

TEST_P(Reached, FunctionsThatTheProgramDefinesItselfAreNamedOnce) {
  const CommandResult done = record(2, traced_program("layered_inside"));
  expect_recorded(done);
  EXPECT_CONTAINS(done.err, "recorded is what they call by PMPI_ names: the program: ");
  for (const char* function : {"MPI_Finalize", "MPI_Barrier", "MPI_Send", "MPI_Isend"}) {
    EXPECT_CONTAINS(done.err, function);
    EXPECT_EQ(done.err.find(function), done.err.rfind(function)) << done.err;
  }
}

// ---- Names with blanks

TEST_P(Reached, DirectoriesMayHaveBlanks) {
  const auto place = directory_ / "a b %20";
  std::filesystem::create_directories(place / "tmp dir");
  std::filesystem::copy_file(example("ring"), place / "my ring");
  const bool is_open_mpi = GetParam().name == "openmpi";
  const std::string hosts = is_open_mpi ? " --host localhost:2" : " -hosts localhost";
  for (const std::string& options : {std::string(), hosts}) {
    SCOPED_TRACE(options);
    const CommandResult done = run_command(
        kPlumbline + " record --force -o 'ob s' -- " + GetParam().launcher + options + " -n 2 './my ring'", place);
    expect_recorded(done);
    const CommandResult aside = run_command("TMPDIR=\"$PWD/tmp dir\" " + kPlumbline + " record --force -o obs -- " +
                                                GetParam().launcher + options + " -n 2 './my ring'",
                                            place);
    expect_recorded(aside);
  }
}

TEST_P(Reached, TheInstallationMayBeInADirectoryWithABlankOrAColon) {
  for (const std::string name : {"my tools", "a:b"}) {
    SCOPED_TRACE(name);
    const auto place = directory_ / name;
    std::filesystem::create_directories(place / "bin");
    std::filesystem::create_directories(place / "lib");
    std::filesystem::copy_file(PLUMBLINE, place / "bin/plumbline");
    std::filesystem::copy(std::string(BUILD_DIRECTORY) + "/lib/plumbline", place / "lib/plumbline");
    const CommandResult done =
        shell("'" + place.string() + "/bin/plumbline' record --force -o obs -- " + GetParam().run(2, example("ring")));
    expect_recorded(done);
    EXPECT_LACKS(done.err, "cannot be preloaded");
  }
}

// ---- Nothing recorded, and why

TEST_P(Reached, OfAStaticProgramTheReasonIsTold) {
  std::ofstream(directory_ / "s.c") << "int main(void) { return 0; }\n";
  ASSERT_EQ(shell("cc -static -o s s.c").status, 0);
  for (const std::string command : {"./s", "env X=1 ./s", "sh -c './s; exit 0'"}) {
    SCOPED_TRACE(command);
    const CommandResult done = record(1, command);
    EXPECT_EQ(done.status, 3) << text_of(done);
    EXPECT_CONTAINS(done.err, "no rank was recorded: ");
    EXPECT_CONTAINS(done.err, "s: is linked statically");
  }
}

TEST_P(Reached, OfAProgramThatDoesNotCallMpiInitTheReasonIsTold) {
  std::ofstream(directory_ / "n.c")
      << "#include <mpi.h>\nint main(int c, char** v) { return c > 5 ? MPI_Init(&c, &v) : 0; }\n";
  ASSERT_EQ(shell(mpicc() + " -o n n.c").status, 0);
  const CommandResult done = record(1, "sh -c './n; exit 0'");
  EXPECT_EQ(done.status, 3) << text_of(done);
  EXPECT_CONTAINS(done.err, "n: uses an MPI library, but has not called MPI_Init");
  EXPECT_CONTAINS(record(1, "true").err, "uses no shared MPI library");
}

TEST_P(Reached, AProgramThatPassesTheTracerByIsTold) {
  std::ofstream(directory_ / "p.c") << "#include <mpi.h>\nint run(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n";
  std::ofstream(directory_ / "m.c") << "#define _GNU_SOURCE\n#include <dlfcn.h>\nint main(void) {\n"
                                       "  void* m = dlopen(\"./p.so\", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);\n"
                                       "  return m == 0 ? 9 : ((int (*)(void))dlsym(m, \"run\"))();\n}\n";
  ASSERT_EQ(shell(mpicc() + " -shared -fPIC -o p.so p.c && cc -o m m.c -ldl").status, 0);
  const CommandResult done = record(1, "./m");
  EXPECT_EQ(done.status, 3) << text_of(done);
  EXPECT_CONTAINS(done.err, "m: has called MPI_Init past the tracer");
}

// ---- What the command says of itself

TEST_P(Reached, AProgramThatCannotBeStartedGivesTheLaunchersOwnStatus) {
  std::ofstream(directory_ / "no-program") << "";
  for (const std::string command : {"./nowhere", "./no-program"}) {
    SCOPED_TRACE(command);
    const CommandResult plain = shell(GetParam().run(2, command)), done = record(2, command);
    EXPECT_NE(plain.status, 0);
    EXPECT_EQ(done.status, plain.status) << text_of(done);
  }
}

TEST_P(Reached, ARecordingSurvivesALostStandardError) {
  for (const std::string where : {"2>&-", "2>/dev/full", "2>&1 >/dev/null | true", "<&- 2>&-"}) {
    SCOPED_TRACE(where);
    const std::string plainly = "{ " + GetParam().run(2, example("ring")) + "; echo $? >status; } " + where;
    if (shell(plainly + "; exit $(cat status)").status != 0) continue;  // MPICH's launcher does without none
    const CommandResult done =
        shell("{ " + kPlumbline + " record --force -o obs -- " + GetParam().run(2, example("ring")) +
              "; echo $? >status; } " + where + "; test -f status && cat status");
    EXPECT_CONTAINS(text_of(shell(kPlumbline + " info obs")), "2 ranks");
    std::filesystem::remove_all(directory_ / "obs");
  }
}

TEST_P(Reached, NamesThatTheSystemRefusesAreErrorsWithAPlace) {
  const std::string name(300, 'x');
  for (const std::string& options : {"-o " + name, "-o obs --spool " + name, "-o obs --gather " + name}) {
    SCOPED_TRACE(options);
    const CommandResult done = record(1, example("ring"), "", options);
    EXPECT_EQ(done.status, 3) << text_of(done);
    EXPECT_CONTAINS(done.err, name + ": ");
    EXPECT_LACKS(done.err, "fault of Plumbline");
  }
}

}  // namespace
}  // namespace plumbline::test
