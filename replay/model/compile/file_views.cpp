#include "replay/model/compile/file_views.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace plumbline::replay::model {

const FileViews::View& FileViews::view_of(const Message& message, std::uint64_t displacement) {
  const auto known = views_.find({&message, displacement});
  if (known != views_.end()) return known->second;
  std::optional<archive::Layout> layout = archive::parse_layout(message.view);
  PLUMBLINE_CHECK(layout.has_value(), "a view that the parser took is none");
  layout->displacement += static_cast<std::int64_t>(displacement);
  const std::uint32_t number = builder_.layout(archive::to_text(*layout));
  return views_.emplace(std::pair(&message, displacement), View{number, archive::LayoutIndex(std::move(*layout))})
      .first->second;
}

std::optional<IoAccess> FileViews::access(const Message& message, std::uint64_t position, std::uint64_t displacement) {
  IoAccess access;
  access.offset = position + displacement;
  if (message.view.empty()) return access;
  const View& view = view_of(message, displacement);
  const std::optional<std::int64_t> first = view.index.offset_of(position);
  if (!first || *first < 0) return std::nullopt;
  access.offset = static_cast<std::uint64_t>(*first);
  access.view_position = position;
  access.layout = view.number;
  return access;
}

std::uint16_t FileViews::hints(std::string_view file) {
  const auto known = hints_.find(file);
  if (known != hints_.end()) return known->second;
  const auto lines = std::ranges::find(model_.properties, fmt::format("hints:{}", file), &Property::name);
  const std::uint16_t number = lines == model_.properties.end() ? kNoHints : builder_.hints(lines->value);
  return hints_.emplace(file, number).first->second;
}

}  // namespace plumbline::replay::model
