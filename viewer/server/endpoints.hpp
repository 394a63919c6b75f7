#pragma once
// The endpoints of docs/reference/viewer-api.md, one function each; api.hpp has their table.

#include <cstdint>
#include <nlohmann/json.hpp>

#include "viewer/index/runs/runs.hpp"
#include "viewer/server/endpoint.hpp"

namespace plumbline::viewer {

// An operation as every endpoint writes it (OP).
nlohmann::ordered_json operation_json(const Runs& runs, std::uint32_t rank, std::uint32_t operation);

// json_views.cpp
Response meta(Opened& opened, const Query& query);
Response report(Opened& opened, const Query& query);
Response validation(Opened& opened, const Query& query);
Response operation(Opened& opened, const Query& query);

// strips.cpp
Response lanes(Opened& opened, const Query& query);
Response strips(Opened& opened, const Query& query);
Response at(Opened& opened, const Query& query);

// analyses.cpp and what is beside it
Response operations(Opened& opened, const Query& query);
Response causes(Opened& opened, const Query& query);
Response critical_path(Opened& opened, const Query& query);
Response messages(Opened& opened, const Query& query);
Response phases(Opened& opened, const Query& query);
Response waterfall(Opened& opened, const Query& query);
Response profile(Opened& opened, const Query& query);
Response matrix(Opened& opened, const Query& query);
Response histogram(Opened& opened, const Query& query);
Response instances(Opened& opened, const Query& query);
Response efficiency(Opened& opened, const Query& query);
Response search(Opened& opened, const Query& query);

}  // namespace plumbline::viewer
