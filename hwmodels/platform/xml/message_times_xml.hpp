#pragma once
// Measured times of messages as elements of a platform file:
//   <times size="1KiB" in-flight="4" count="1000" quantiles="0%:50us 50%:52us 99%:60us 100%:3ms" source="bench"/>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/xml/xml_element.hpp"

namespace plumbline::hw {

// Of one range; elements at fault are noted and left out.
std::vector<MessageTimes> read_times(const XmlElement& range, std::span<const tinyxml2::XMLElement* const> elements);

// Notes sizes that are not in the range, which begins behind `below`.
void check_sizes(const MessageRange& range, std::optional<Bytes> below, const XmlElement& element);

std::string write_times(const MessageTimes& times);

}  // namespace plumbline::hw
