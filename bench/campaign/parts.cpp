#include "bench/campaign/parts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "bench/results/campaign_file.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kBegun[] = "campaign.h5", kLock[] = "lock";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

json to_json(const Attempt& attempt) {
  return {{"number", attempt.number},       {"start", attempt.start},
          {"requests", attempt.requests},   {"load_before", attempt.load_before},
          {"own_load", attempt.own_load},   {"load_after", attempt.load_after},
          {"stolen", attempt.stolen},       {"ended", attempt.ended},
          {"given_up", attempt.given_up},   {"notes", attempt.notes},
          {"run_queue", attempt.run_queue}, {"boot", attempt.boot}};
}

Attempt attempt_from(const fs::path& path) {
  try {
    const json from = json::parse(contents(path));
    return {from.at("number"),   from.at("start"),      from.at("requests"),  from.at("load_before"),
            from.at("own_load"), from.at("load_after"), from.at("stolen"),    from.at("ended"),
            from.at("given_up"), from.at("notes"),      from.at("run_queue"), from.at("boot")};
  } catch (const json::exception&) {
    throw Error(path.string(), "is damaged, or not of this version", "begin the campaign again with --force");
  }
}

}  // namespace

fs::path Parts::beside(const fs::path& result) { return result.string() + ".parts"; }

Parts::Parts(fs::path directory) : directory_(std::move(directory)) {
  std::error_code failed;
  fs::create_directory(directory_, failed);
  if (failed) throw Error(directory_.string(), "cannot be made: " + failed.message(), "choose another place with -o");
  lock_ = ::open((directory_ / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) throw_system_error(directory_.string(), "cannot be written", errno);
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;  // some file systems have no locks
  ::close(lock_);
  throw Error(directory_.string(), "another plumbline bench is at work on this result", "wait for it, or end it");
}

Parts::~Parts() { ::close(lock_); }

void Parts::begin(const Campaign& campaign) const { write_campaign(campaign, directory_ / kBegun, Overwrite::kYes); }

bool Parts::has_begun() const { return fs::exists(directory_ / kBegun); }

Campaign Parts::begun() const { return read_campaign(directory_ / kBegun); }

fs::path Parts::file(const Attempt& attempt, const char* kind) const {
  return directory_ / fmt::format("{:05}.{}", attempt.number, kind);
}

void Parts::save(const Attempt& attempt) const {
  write_file(file(attempt, "json"), to_json(attempt).dump(1, ' ', false, json::error_handler_t::replace) + "\n",
             Overwrite::kYes);
}

std::vector<Attempt> Parts::attempts() const {
  std::vector<Attempt> result;
  for (const auto& entry : fs::directory_iterator(directory_))
    if (entry.path().extension() == ".json" && !entry.path().filename().string().starts_with('.'))
      result.push_back(attempt_from(entry.path()));
  std::ranges::sort(result, {}, &Attempt::number);
  return result;
}

void Parts::part_from_writer(const Attempt& attempt) const {
  const fs::path path = stream(attempt);
  if (fs::exists(path)) write_file(path, contents(path), Overwrite::kYes);
}

void Parts::remove() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

}  // namespace plumbline::bench
