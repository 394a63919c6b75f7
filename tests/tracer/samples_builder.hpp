#pragma once
// Samples of a node made by hand, word by word as tracer/spool/format/samples_format.h says. Ticks are nanoseconds, as
// in SpoolBuilder.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tracer/spool_builder.hpp"
#include "tracer/spool/format/samples_format.h"

namespace plumbline::record::test {

class SamplesBuilder {
 public:
  explicit SamplesBuilder(const std::string& host = "kn1", std::uint64_t network_namespace = 7) {
    std::memcpy(header.magic, PL_SAMPLES_MAGIC, sizeof header.magic);
    header.version = PL_SAMPLES_VERSION;
    header.header_bytes = sizeof header;
    header.clock = PL_CLOCK_MONOTONIC_NS;
    header.user_hz = 100;
    header.interval_ns = 100'000'000;
    header.network_namespace = network_namespace;
    header.first = {1'000, 1'000, SpoolBuilder::kRealtime + 1'000};
    std::strcpy(header.boot_id, "boot-1");
    std::strcpy(header.host, host.c_str());
  }

  void sample(pl_sampled what, const std::string& name, std::uint64_t ticks, const Payload& values) {
    const std::uint16_t number = series(what, name);
    Payload payload{ticks};
    payload.insert(payload.end(), values.begin(), values.end());
    append(PL_SAMPLE_VALUES, number, payload);
  }

  // After so many rounds that took so many ns.
  void clock(std::uint64_t ticks, std::uint64_t rounds, std::uint64_t ns) {
    append(PL_SAMPLE_CLOCK, 0, {ticks, ticks, SpoolBuilder::kRealtime + ticks, rounds, ns});
  }

  std::filesystem::path write(const std::filesystem::path& directory, const std::string& name = "kn1.1.samples") const {
    std::ofstream file(directory / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    Payload words = words_;
    if (ends) words.push_back(PL_SAMPLE_END);
    file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
    return directory / name;
  }

  pl_samples_header header{};
  bool ends = true;

 private:
  std::uint16_t series(pl_sampled what, const std::string& name) {
    const std::string key = std::to_string(what) + name;
    for (std::size_t i = 0; i < series_.size(); ++i)
      if (series_[i] == key) return static_cast<std::uint16_t>(i);
    series_.push_back(key);
    Payload payload(1 + (name.size() + 7) / 8, 0);
    payload[0] = what;
    if (!name.empty()) std::memcpy(&payload[1], name.data(), name.size());
    append(PL_SAMPLE_SERIES, static_cast<std::uint16_t>(series_.size() - 1), payload);
    return static_cast<std::uint16_t>(series_.size() - 1);
  }

  void append(std::uint16_t kind, std::uint16_t number, const Payload& payload) {
    words_.push_back(kind | static_cast<std::uint64_t>(number) << 16 |
                     static_cast<std::uint64_t>(payload.size()) << 32);
    words_.insert(words_.end(), payload.begin(), payload.end());
  }

  std::vector<std::string> series_;
  Payload words_;
};

}  // namespace plumbline::record::test
