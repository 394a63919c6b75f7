#include "replay/validate/report/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "sample.hpp"
#include "schema_check.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::validate {
namespace {

std::string message_of(const std::string& text) {
  try {
    from_json(text, "report.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "none";
}

std::string changed(const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json json = nlohmann::json::parse(json_text(sample_validation()));
  change(json);
  return json.dump();
}

TEST(ValidateJson, ReadsWhatItWrote) {
  for (const Validation& validation : {sample_validation(), healthy_validation(), Validation{}})
    EXPECT_TRUE(from_json(json_text(validation), "report.json") == validation);
}

TEST(ValidateJson, FitsItsSchema) {
  for (const Validation& validation : {sample_validation(), healthy_validation(), Validation{}})
    EXPECT_EQ(replay::schema_faults(nlohmann::json::parse(json_text(validation)), PLUMBLINE_VALIDATION_SCHEMA), "");
}

TEST(ValidateJson, TheSchemaKnowsEveryMemberThatIsWritten) {
  EXPECT_NE(replay::schema_faults(nlohmann::json::parse(changed([](auto& json) { json["suite"][0]["extra"] = 1; })),
                                  PLUMBLINE_VALIDATION_SCHEMA),
            "");
}

TEST(ValidateJson, TellsTheVerdictToProgramsThatReadNothingElse) {
  const nlohmann::ordered_json json = to_json(sample_validation());
  EXPECT_EQ(json["verdict"]["word"], "findings");
  EXPECT_EQ(json["verdict"]["exit_code"], 1);
  EXPECT_EQ(json["verdict"]["findings"], 2);
  EXPECT_EQ(json["verdict"]["suppressed"], 1);
  EXPECT_EQ(json["verdict"]["suite_s"], 20);
}

TEST(ValidateJson, NamesTheMemberThatIsWrong) {
  EXPECT_EQ(message_of(changed([](auto& json) { json["diagnoses"][1]["cost_s"] = "much"; })),
            "report.json: diagnoses[1].cost_s: is no number; give the report.json that `plumbline validate` wrote");
  EXPECT_THAT(message_of(changed([](auto& json) { json["diagnoses"][0]["retests"][0].erase("twin"); })),
              testing::StartsWith("report.json: diagnoses[0].retests[0].twin: is missing"));
  EXPECT_THAT(message_of(changed([](auto& json) { json["checks"][2]["state"] = "fine"; })),
              testing::StartsWith("report.json: checks[2].state: 'fine' is none of the words allowed"));
  EXPECT_THAT(message_of(changed([](auto& json) { json["machine"]["ranks"] = -1; })),
              testing::StartsWith("report.json: machine.ranks: is no whole number from 0 to 4294967295"));
}

TEST(ValidateJson, NamesTheLineWhereItIsNoJson) {
  EXPECT_THAT(message_of("{\n\"format\": 1,\n}"), testing::StartsWith("report.json:3: is no JSON from here on"));
  EXPECT_THAT(message_of(""), testing::StartsWith("report.json:1: is no JSON"));
}

TEST(ValidateJson, RefusesAnotherFormatAndALaterVersion) {
  EXPECT_THAT(message_of("{\"format\": \"plumbline-report\"}"), testing::StartsWith("report.json: is no validation"));
  EXPECT_THAT(message_of(changed([](auto& json) { json["version"] = 99; })),
              testing::StartsWith("report.json: has version 99 of the format, this Plumbline reads 1"));
}

TEST(ValidateJson, KeepsTextThatIsNoUtf8Readable) {
  Validation validation = sample_validation();
  validation.machine.nodes.front() = "n\xff\xfe";
  EXPECT_EQ(from_json(json_text(validation), "report.json").machine.nodes.front(), "n\xef\xbf\xbd\xef\xbf\xbd");
}

// Bytes changed, removed and doubled: it is read, or refused with an Error that says something.
TEST(ValidateJson, AnyDamageIsAnErrorOrNone) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE("PLUMBLINE_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::string whole = json_text(sample_validation());
  for (int i = 0; i < test::cases(2000); ++i) {
    std::string text = whole;
    for (std::uint64_t edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size(), length = 1 + random() % 30;
      if (const std::uint64_t kind = random() % 3; kind == 0)
        text[at] = static_cast<char>(random());
      else if (kind == 1)
        text.erase(at, length);
      else
        text.insert(at, text.substr(random() % text.size(), length));
    }
    try {
      from_json(text, "report.json");
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::validate
