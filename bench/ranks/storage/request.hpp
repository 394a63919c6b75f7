#pragma once
// What the storage families read of a request, and what their cells begin with.

#include <cstdint>
#include <filesystem>
#include <string>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

inline constexpr FamilyParameter kDirectoryParameter{"directory", "whose storage is measured", ".", true};
inline constexpr FamilyParameter kMostParameter{"most_mib", "MiB that all files together take at most", "1024"};

// Both throw Error when it is neither in the request nor has the family a default for it.
std::string word_of(const Request& request, const std::string& name, std::string_view by_default);
double number_of(const Request& request, const std::string& name, double by_default, double least, double most);

// Throws Error for sizes between two ends: what storage takes changes in steps of its own, which the rule does not
// know.
void refuse_adaptive(const Request& request);

// Bytes for each of `files` files of the directory: what is wanted, as long as they take no more than `most_mib`
// together and a quarter of the free space. Throws Error (kCannotRunHere) below 1 MiB.
std::uint64_t file_size(const Request& request, const std::filesystem::path& directory, double wanted_mib,
                        std::uint32_t files);

// A cell of this request with what is known of the directory.
Cell storage_cell(const Request& request, const std::filesystem::path& directory, std::uint64_t bytes,
                  const std::string& call);

}  // namespace plumbline::bench
