#pragma once
// Our enumerations as OTF2's and back.

#include <otf2/otf2.h>

#include <string_view>

#include "tracer/archive/model.hpp"

namespace plumbline::archive {

OTF2_CollectiveOp to_otf2(CollectiveOp op);
CollectiveOp collective_from_otf2(OTF2_CollectiveOp op);

OTF2_Type to_otf2(AttributeType type);
AttributeType attribute_type_from_otf2(OTF2_Type type);

OTF2_LocationType to_otf2(LocationType type);
LocationType location_type_from_otf2(OTF2_LocationType type);

// A value as OTF2 holds it, in the form that an attribute of type `type` has with us. False when a number stands where
// a text is due, or the other way round.
bool value_from_otf2(OTF2_Type stored, const OTF2_AttributeValue& value, AttributeType type, AttributeValue& result);

// OTF2 knows five roles of collectives; which one follows from the name, as Score-P does it.
OTF2_RegionRole to_otf2(Role role, std::string_view region_name);
Role role_from_otf2(OTF2_RegionRole role);

OTF2_Paradigm to_otf2(Paradigm paradigm);
Paradigm paradigm_from_otf2(OTF2_Paradigm paradigm, Role role);

}  // namespace plumbline::archive
