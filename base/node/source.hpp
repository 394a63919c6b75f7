#pragma once
// Reads files below a root into Facts. What is not there, or does not apply (a speed of an interface without a cable),
// is left out; what is there and cannot be read goes to Facts::unreadable with the reason. Nothing here throws because
// of what a file holds.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/node/facts.hpp"

namespace plumbline::node {

class Source {
 public:
  Source(std::filesystem::path root, Facts& into) : root_(std::move(root)), facts_(into) {}
  Source(const ReadOptions& options, Facts& into) : root_(options.root), copy_(options.copy), facts_(into) {}

  // Paths are as on the node itself: "/proc/stat". All of a file; more than 16 MiB are not read.
  std::optional<std::string> text(const std::string& path);

  // Its first line without blanks around it; nullopt also where it is empty or no text.
  std::optional<std::string> line(const std::string& path);

  // Names in a directory, cpu2 before cpu10. Empty where there is none.
  std::vector<std::string> names(const std::string& path);

  // Where a symbolic link points to, its last part: the driver of a device. Empty: it is none.
  std::string link_name(const std::string& path);

  bool exists(const std::string& path);

  void put(std::string name, std::string value, std::string path);

  // The first line of `path` as it is, or what `change` makes of it (nothing where that is empty).
  void put_line(const std::string& name, const std::string& path,
                const std::function<std::string(std::string_view)>& change = {});

  // The same, where the line is a number.
  void put_number(const std::string& name, const std::string& path);

 private:
  void refuse(const std::string& path, std::string reason);
  std::optional<std::string> copied_text(const std::string& path);

  std::filesystem::path root_;
  const Copy* copy_ = nullptr;
  Facts& facts_;
};

}  // namespace plumbline::node
