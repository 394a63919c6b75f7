#include "bench/ranks/mpi_io/mpi_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

constexpr std::string_view kHint = "hint.";

}  // namespace

Hints::Hints(const Request& request) {
  must(MPI_Info_create(&info_));
  for (const auto& [name, value] : request.words)
    if (name.starts_with(kHint)) must(MPI_Info_set(info_, name.substr(kHint.size()).c_str(), value.c_str()));
}

Hints::~Hints() { MPI_Info_free(&info_); }

bool is_shared(const Request& request) {
  constexpr std::string_view kWords[] = {"shared", "own"};
  return choice(request, kWhoseFile.name, kWords) == 0;
}

std::string new_file_name(const Context& context, const Request& request) {
  static int files = 0;
  std::string name = broadcast_text(
      context.world, fmt::format("{}/plumbline-ranks-{}-{}", word(request, kDirectory.name), ::getpid(), ++files));
  return is_shared(request) ? name : fmt::format("{}.{}", name, rank_in(context.world));
}

MeasuredFile::MeasuredFile(const Context& context, const Request& request)
    : context_(context), shared_(is_shared(request)), name_(new_file_name(context, request)) {
  const Hints hints(request);
  file_ = together(context.world, [&] {
    MPI_File file = MPI_FILE_NULL;
    must(MPI_File_open(shared_ ? context.world : MPI_COMM_SELF, name_.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, hints,
                       &file));
    return file;
  });
}

MeasuredFile::~MeasuredFile() {
  MPI_File_close(&file_);
  if (!shared_ || rank_in(context_.world) == 0) MPI_File_delete(name_.c_str(), MPI_INFO_NULL);
}

}  // namespace plumbline::bench
