#pragma once
// What a request for strips asks for.

#include <cstdint>
#include <string_view>
#include <vector>

#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/server/endpoint.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

inline constexpr std::size_t kMostStrips = 4096;

struct StripsRequest {
  const PyramidSource* source = nullptr;
  unsigned level = 0;
  std::uint32_t first = 0, last = 0;
  std::vector<std::uint32_t> lanes;  // as they were asked for; all exist
};

// BadRequest: 400 where it cannot be understood, 404 where there is no such source or lane, 409 where the key is that
// of another content, 413 where it asks for more than kMostStrips.
StripsRequest strips_request(const Opened& opened, const Query& query);

// "obs", "free" or "whatif-3".
const PyramidSource& source_of(const Opened& opened, std::string_view name);

// "0,2-5,1073741824": 413 where there are more than `most`.
std::vector<std::uint32_t> number_list(std::string_view text, std::size_t most);

// The ranks of a lane of ranks, none of one of a component. 404 where there is no such lane.
std::vector<std::uint32_t> ranks_of_lane(const Opened& opened, std::uint32_t lane);
const ComponentHistory* component_of_lane(const Opened& opened, std::uint32_t lane);  // null: it is none

}  // namespace plumbline::viewer
