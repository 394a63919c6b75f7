#pragma once
// Whether the layouts that the rules are measured in let anything be judged.

#include <string>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// "8 ranks share 2 cores of one machine (n0, n1, n2 and 5 more)", of ranks as the pre-flight met them; "": none do.
std::string sharing_of(const std::vector<node::RankIdentity>& ranks);

// Why no rule can be judged: in each of their layouts ranks share cores, so their times hold that they wait for each
// other. "": some rule can. Where the ranks of the pre-flight shared cores, it starts a few ranks in each layout and
// looks where they came to run; elsewhere it starts nothing.
std::string why_no_rule_can_be_judged(Session& session, const MpiResult& result);

// What judge_rules() would say of measurements in such layouts.
bench::RulesVerdict verdict_on_no_rule(const MpiResult& result, const std::string& why);

}  // namespace plumbline::cli::validate
