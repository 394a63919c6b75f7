#include "cli/version.hpp"

#include <H5public.h>
#include <fmt/format.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/otf2.h>
#include <boost/version.hpp>

namespace plumbline::cli {

std::string version_number() { return PLUMBLINE_VERSION; }

std::string version_text() {
  return fmt::format("plumbline {}\nOTF2 {}.{}.{}, HDF5 {}.{}.{}, Boost {}.{}.{}", version_number(), OTF2_VERSION_MAJOR,
                     OTF2_VERSION_MINOR, OTF2_VERSION_BUGFIX, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE,
                     BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
}

}  // namespace plumbline::cli
