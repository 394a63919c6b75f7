#pragma once
// What the endpoints of analyses are asked, and what they all answer with.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/time_sum.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/alike.hpp"
#include "viewer/index/runs/operation_id.hpp"
#include "viewer/server/endpoint.hpp"

namespace plumbline::viewer {

// t0 and t1, from the begin of the observed run, cut to it; without them the whole run.
TimeRange asked_range(const Opened& opened, const Query& query);

// Ranks of `lanes`, "0,2-5,536870912": of ranks and of folds; components have none. Ascending; without it all.
std::vector<std::uint32_t> asked_ranks(const Opened& opened, const Query& query);

// The parts "0" and "1" of the path, or `rank_name` and `operation_name`.
OperationId asked_operation(const Opened& opened, const Query& query, std::string_view rank_name = "0",
                            std::string_view operation_name = "1");

// By `row`, or `call` and where it is told `site`.
OperationsAlike asked_alike(const Opened& opened, const Query& query);

// Which of the words the value is; that of `names` which is first where there is none.
std::size_t asked_word(const Query& query, std::string_view name, std::initializer_list<std::string_view> words);

// Time since the begin of the observed run.
std::int64_t since_begin(const Opened& opened, Time time);

nlohmann::ordered_json number_json(TimeSum::Picoseconds value);  // rounded where 64 bits do not hold it
nlohmann::ordered_json id_json(OperationId id);                  // null where it does not exist

}  // namespace plumbline::viewer
