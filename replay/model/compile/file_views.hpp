#pragma once
// What a model says of files beside their accesses: views, and hints of the library.

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "replay/model/language/directives.hpp"
#include "replay/program/program.hpp"
#include "tracer/archive/layout/layout.hpp"

namespace plumbline::replay::model {

class FileViews {
 public:
  FileViews(ProgramBuilder& builder, const Model& model) : builder_(builder), model_(model) {}

  // The access at `position`, in bytes of the data of the view, which lies `displacement` further on than it says. No
  // view: in bytes of the file. Nothing where that is not in a file.
  std::optional<IoAccess> access(const Message& message, std::uint64_t position, std::uint64_t displacement);

  std::uint16_t hints(std::string_view file);  // by the property "hints:FILE"

 private:
  struct View {
    std::uint32_t number = kNone;  // of the program
    archive::LayoutIndex index;
  };
  const View& view_of(const Message& message, std::uint64_t displacement);

  ProgramBuilder& builder_;
  const Model& model_;
  std::map<std::pair<const Message*, std::uint64_t>, View> views_;
  std::map<std::string_view, std::uint16_t> hints_;  // by file
};

}  // namespace plumbline::replay::model
