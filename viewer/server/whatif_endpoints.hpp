#pragma once
// The endpoints below whatif/; api.hpp has their table.

#include "viewer/server/endpoint.hpp"

namespace plumbline::viewer {

Response whatif_choices(Opened& opened, const Query& query);
Response whatif_start(Opened& opened, const Query& query);
Response whatif_state(Opened& opened, const Query& query);
Response whatif_cancel(Opened& opened, const Query& query);

}  // namespace plumbline::viewer
