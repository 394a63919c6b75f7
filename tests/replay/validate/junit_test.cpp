#include "replay/validate/report/junit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "replay/validate/checks/catalogue.hpp"
#include "sample.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay::validate {
namespace {

using tinyxml2::XMLElement;

struct Parsed {
  tinyxml2::XMLDocument document;
  const XMLElement* suite = nullptr;
  std::map<std::string, const XMLElement*> cases;

  explicit Parsed(const std::string& text) {
    EXPECT_EQ(document.Parse(text.c_str()), tinyxml2::XML_SUCCESS) << text;
    suite = document.RootElement()->FirstChildElement("testsuite");
    for (const XMLElement* test = suite->FirstChildElement("testcase"); test != nullptr;
         test = test->NextSiblingElement("testcase"))
      cases[test->Attribute("name")] = test;
  }
};

std::string skipped(const XMLElement* test) {
  const XMLElement* element = test->FirstChildElement("skipped");
  return element == nullptr ? "" : element->Attribute("message");
}

TEST(ValidateJunit, HasACaseForEveryCheckOfTheCatalogue) {
  const Parsed junit(junit_text(sample_validation()));
  EXPECT_EQ(junit.cases.size(), catalogue().size());
  EXPECT_EQ(junit.suite->IntAttribute("tests"), static_cast<int>(catalogue().size()));
  EXPECT_EQ(junit.suite->IntAttribute("failures"), 2);
  EXPECT_EQ(junit.suite->IntAttribute("skipped"), 6);
  EXPECT_STREQ(junit.suite->Attribute("timestamp"), "2026-11-25T20:48:00");
}

TEST(ValidateJunit, AFindingIsAFailureWithItsCostAndRemedy) {
  const Parsed junit(junit_text(sample_validation()));
  const XMLElement* failure = junit.cases.at("net.link.rate")->FirstChildElement("failure");
  ASSERT_NE(failure, nullptr);
  EXPECT_STREQ(failure->Attribute("message"), "a cable carries 48 of 100 Mbit/s at n3: costs 4.1 s, 20 % of the suite");
  EXPECT_STREQ(failure->Attribute("type"), "peers");
  EXPECT_THAT(failure->GetText(), testing::HasSubstr("ethtool"));
}

TEST(ValidateJunit, WhatWasNotCheckedIsSkippedAndNotPassed) {
  Validation validation = sample_validation();
  std::erase_if(validation.checks, [](const CheckResult& result) { return result.id == "rule.sendrecv"; });
  const Parsed junit(junit_text(validation));
  EXPECT_EQ(skipped(junit.cases.at("cpu.idle-states")), "could not run: no cpuidle on these nodes");
  EXPECT_EQ(skipped(junit.cases.at("server.slow")), "not judged: one server has no peers");
  EXPECT_EQ(skipped(junit.cases.at("cpu.governor")), "suppressed by site.suppress:3: the governor is powersave");
  EXPECT_EQ(skipped(junit.cases.at("rule.sendrecv")), "no part of this validation");
  EXPECT_EQ(skipped(junit.cases.at("rule.thread-single")), "");
}

TEST(ValidateJunit, AnObservationPassesAndIsTold) {
  const Parsed junit(junit_text(sample_validation()));
  const XMLElement* test = junit.cases.at("net.retransmits");
  EXPECT_EQ(test->FirstChildElement("failure"), nullptr);
  EXPECT_STREQ(test->FirstChildElement("system-out")->GetText(), "TCP sent 214 segments again at n3\n");
}

Validation hostile_validation() {
  Validation validation = sample_validation();
  validation.diagnoses.front().title = "<b>\"x\" & 'y'\x01\xff\xed\xa0\x80]]>";
  validation.machine.nodes.front() = "n<0>\x1b[31m";
  validation.created = "yesterday";
  return validation;
}

TEST(ValidateJunit, AnyTextIsWellFormed) {
  const Parsed junit(junit_text(hostile_validation()));
  EXPECT_STREQ(junit.suite->Attribute("hostname"), "n<0>\xef\xbf\xbd[31m");
  EXPECT_EQ(junit.suite->Attribute("timestamp"), nullptr);
}

TEST(ValidateJunit, FitsItsSchema) {
  if (std::system("command -v xmllint >/dev/null") != 0) GTEST_SKIP() << "needs xmllint (libxml2-utils)";
  test::TemporaryDirectory directory;
  for (const Validation& validation : {sample_validation(), healthy_validation(), hostile_validation(), Validation{}}) {
    std::ofstream(directory / "junit.xml") << junit_text(validation);
    const std::string command =
        "xmllint --noout --schema " PLUMBLINE_JUNIT_SCHEMA " " + (directory / "junit.xml").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
}

}  // namespace
}  // namespace plumbline::replay::validate
