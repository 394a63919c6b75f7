#include "viewer/export/perfetto_names.hpp"

#include <array>
#include <utility>

#include "viewer/export/perfetto_fields.hpp"
#include "viewer/export/protobuf.hpp"

namespace plumbline::viewer::perfetto {
namespace {

constexpr std::array<std::pair<Annotation, std::string_view>, 18> kAnnotations = {{
    {Annotation::kOperation, "operation"},
    {Annotation::kBytes, "bytes"},
    {Annotation::kPeer, "peer"},
    {Annotation::kTag, "tag"},
    {Annotation::kCommSize, "comm_size"},
    {Annotation::kSite, "site"},
    {Annotation::kFile, "file"},
    {Annotation::kFree, "free_ps"},
    {Annotation::kLower, "lower_ps"},
    {Annotation::kUpper, "upper_ps"},
    {Annotation::kBand, "band_ps"},
    {Annotation::kOwn, "own_ps"},
    {Annotation::kInherited, "inherited_ps"},
    {Annotation::kStructure, "structure_ps"},
    {Annotation::kStack, "stack_ps"},
    {Annotation::kGained, "gained_ps"},
    {Annotation::kNotJudged, "not_judged"},
    {Annotation::kFrom, "from"},
}};

void put_entry(std::string& to, std::uint32_t table, std::uint64_t iid, std::string_view text) {
  std::string entry;
  proto::put_number(entry, interned::kIid, iid);
  proto::put_text(entry, interned::kText, text);
  proto::put_text(to, table, entry);
}

}  // namespace

std::string Names::all() const {
  std::string data;
  for (std::size_t kind = 0; kind < kCallKinds; ++kind)
    put_entry(data, interned::kEventCategories, category(static_cast<CallKind>(kind)), kKindNames[kind]);
  for (std::uint32_t i = 0; i < program_.calls(); ++i) {
    const auto index = static_cast<std::uint16_t>(i);
    put_entry(data, interned::kEventNames, call(index), program_.call(index));
  }
  put_entry(data, interned::kEventNames, received_message(), "message received");
  for (const auto& [annotation, name] : kAnnotations)
    put_entry(data, interned::kDebugAnnotationNames, static_cast<std::uint64_t>(annotation), name);
  for (std::uint32_t i = 0; i < program_.sites(); ++i)
    put_entry(data, interned::kDebugAnnotationStringValues, site(i), program_.site(i));
  for (std::uint32_t i = 0; i < program_.files(); ++i)
    put_entry(data, interned::kDebugAnnotationStringValues, file(i), program_.file(i));
  return data;
}

std::uint64_t Names::text(std::string_view text, std::string& interned) {
  if (const auto known = texts_.find(text); known != texts_.end()) return known->second;
  const std::uint64_t iid = std::uint64_t{program_.sites()} + program_.files() + texts_.size() + 1;
  texts_.emplace(text, iid);
  put_entry(interned, interned::kDebugAnnotationStringValues, iid, text);
  return iid;
}

}  // namespace plumbline::viewer::perfetto
