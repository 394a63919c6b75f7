#pragma once
// Quantities with units as people write them in platform files and on the command line: "19.98us", "117MB/s", "64KiB",
// "1Gbit/s", "12%". Decimal prefixes k M G T (10^3 ..), binary Ki Mi Gi Ti (2^10 ..); a number without a unit is
// refused, except 0. Formatting chooses a unit that keeps 3 to 4 digits; format_exact loses nothing.

#include <optional>
#include <string>
#include <string_view>

#include "base/time_sum.hpp"
#include "base/units.hpp"

namespace plumbline {

// Each returns nothing when the text is not such a quantity (unit missing or wrong, negative, too large).
std::optional<Duration> parse_duration(std::string_view text);    // s ms us ns ps min h d
std::optional<Bytes> parse_bytes(std::string_view text);          // B kB MB GB TB KiB MiB GiB TiB
std::optional<BytesPerSecond> parse_rate(std::string_view text);  // the above, and bit kbit Mbit Gbit, each "/s"
std::optional<double> parse_fraction(std::string_view text);      // "3.5%" -> 0.035

std::string format(Duration duration);        // "19.98 us"
std::string format(TimeSum sum);              // the same
std::string format(Bytes bytes);              // "64 KiB" where exact in binary units, else "1.23 MB"
std::string format(BytesPerSecond rate);      // "117 MB/s"
std::string format_percent(double fraction);  // 0.0351 -> "3.5 %"

// Without a space and without loss: parse_x(format_exact(x)) == x.
std::string format_exact(Duration duration);
std::string format_exact(Bytes bytes);
std::string format_exact(BytesPerSecond rate);
std::string format_exact_fraction(double fraction);  // 0.035 -> "3.5%"

}  // namespace plumbline
