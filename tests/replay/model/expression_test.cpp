#include "replay/model/language/expression.hpp"

#include <gtest/gtest.h>

#include <string>

#include "replay/model/compile/instance.hpp"

namespace plumbline::replay::model {
namespace {

// Of rank 5 of 8, with a = 7, b = 2, t = 3 ms; or what is wrong with it.
std::string value_of(const std::string& text) {
  try {
    const Model with = parse_model(
        "Constant a = 7\nConstant b = 2\nConstant t = 3ms\nConstant x = " + text + "\nSerial time = 0", "model");
    return to_string(values_of(instance_of(with, 8, {}), 5).back());
  } catch (const Fault& fault) {
    return fault.what;
  } catch (const Error& error) {
    return error.problems().front().what;
  }
}

TEST(ModelExpression, IsComputedAsInC) {
  EXPECT_EQ(value_of("256/numprocs+2"), "34");
  EXPECT_EQ(value_of("7/2*2"), "6");  // whole numbers
  EXPECT_EQ(value_of("7/2.0"), "3.5");
  EXPECT_EQ(value_of("-7/2"), "-3");
  EXPECT_EQ(value_of("-7%3"), "-1");
  EXPECT_EQ(value_of("1+2*3-4"), "3");
  EXPECT_EQ(value_of("(1+2)*3"), "9");
  EXPECT_EQ(value_of("10-4-3"), "3");
  EXPECT_EQ(value_of("1<<3+1"), "16");
  EXPECT_EQ(value_of("procnum^1"), "4");
  EXPECT_EQ(value_of("5&3|8"), "9");
  EXPECT_EQ(value_of("1+1 == 2 && 3 > 4 || !0"), "1");
  EXPECT_EQ(value_of("procnum%2 == 0 ? 10 : procnum > 3 ? 20 : 30"), "20");
  EXPECT_EQ(value_of("~0"), "-1");
  EXPECT_EQ(value_of("1e3"), "1000");
  EXPECT_EQ(value_of(".5+1"), "1.5");
}

TEST(ModelExpression, KnowsConstantsFunctionsAndSizes) {
  EXPECT_EQ(value_of("a*b"), "14");
  EXPECT_EQ(value_of("min(a, b, 5) + max(a, 9)"), "11");
  EXPECT_EQ(value_of("mod(a, 4)"), "3");
  EXPECT_EQ(value_of("abs(-a)"), "7");
  EXPECT_EQ(value_of("floor(a/2.0) + ceil(a/2.0)"), "7");
  EXPECT_EQ(value_of("floor(log2(numprocs))"), "3");
  EXPECT_EQ(value_of("pow(b, 10)"), "1024");
  EXPECT_EQ(value_of("sqrt(16)"), "4");
  EXPECT_EQ(value_of("a*sizeof(double)"), "56");
  EXPECT_EQ(value_of("64KiB"), "65536");
}

TEST(ModelExpression, LooksUpNumbersInTables) {
  EXPECT_EQ(value_of("table(a, 3, 2ms, 7, 5ms)"), "5 ms");
  EXPECT_EQ(value_of("table(a+1, 3, 2ms, 7, 5ms) + 1ms"), "1 ms");  // the unit of the others
  EXPECT_EQ(value_of("table(b, 7, 1, 2, 8, 2, 9)"), "8");
  EXPECT_EQ(value_of("table(a)"), "table has no values");
  EXPECT_EQ(value_of("table(1ms, 3, 2ms)"), "the number of a table is 1 ms");
  EXPECT_EQ(value_of("table(a, 1ms, 2ms)"), "a number of a table is 1 ms");
  EXPECT_EQ(value_of("table(a, 3, 2ms, 4, 5)"), "a table has times or numbers, not both");
  EXPECT_EQ(value_of("table(a, b, 2ms)"), "'b' where a table has a number or a time");
  EXPECT_EQ(value_of("table(a, 7)"), "',' is missing");
}

TEST(ModelExpression, TellsTimesFromNumbers) {
  EXPECT_EQ(value_of("t/2"), "1.5 ms");
  EXPECT_EQ(value_of("2*t + 500us"), "6.5 ms");
  EXPECT_EQ(value_of("t/1ms"), "3");
  EXPECT_EQ(value_of("max(t, 4ms)"), "4 ms");
  EXPECT_EQ(value_of("t > 2ms"), "1");
  EXPECT_EQ(value_of("t + 1"), "the expression joins a time with a number that has no unit");
  EXPECT_EQ(value_of("t*t"), "the expression multiplies a time by a time");
  EXPECT_EQ(value_of("1/t"), "the expression divides a number by a time");
}

TEST(ModelExpression, WithoutAValueSaysWhy) {
  EXPECT_EQ(value_of("a/(procnum-5)"), "the expression divides by zero");
  EXPECT_EQ(value_of("a%(b-2)"), "the expression divides by zero");
  EXPECT_EQ(value_of("a/(0*1.0)"), "the expression divides by zero");
  EXPECT_EQ(value_of("1<<70"), "the expression shifts by 70");
  EXPECT_EQ(value_of("9223372036854775807+1"), "the expression is too large");
  EXPECT_EQ(value_of("pow(10, 30)"), "the expression is too large");
  EXPECT_EQ(value_of("log2(0)"), "the expression takes the logarithm of what is not above zero");
  EXPECT_EQ(value_of("1.5 % 2"), "the expression needs whole numbers");
  EXPECT_EQ(value_of("c + 1"), "there is no constant 'c'");
  EXPECT_EQ(value_of("sinh(1)"), "there is no function 'sinh'");
  EXPECT_EQ(value_of("min(1)"), "min has 1 argument");
  EXPECT_EQ(value_of("(1+2"), "')' is missing");
  EXPECT_EQ(value_of("sizeof(widget)"), "the size of 'widget' is not known");
  EXPECT_EQ(value_of("3.24q"), "'3.24q' is no number with a unit of time or bytes");
  EXPECT_EQ(value_of(""), "an expression is missing");
  EXPECT_EQ(value_of(std::string(300, '(') + "1"), "an expression is nested too deeply");
}

TEST(ModelExpression, LooksAtNoMoreThanDecides) {
  EXPECT_EQ(value_of("procnum == 5 || 1/0 == 1"), "1");
  EXPECT_EQ(value_of("procnum == 4 && 1/0 == 1"), "0");
  EXPECT_EQ(value_of("procnum == 5 ? 1 : 1/0"), "1");
}

}  // namespace
}  // namespace plumbline::replay::model
