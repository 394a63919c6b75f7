#pragma once
// Which brick of a distributed GlusterFS volume holds a file.

#include <cstdint>
#include <string_view>

namespace plumbline::hw::storage {

// The hash of GlusterFS (dm_hash of its distribute translator): Davies and Meyer's construction over a TEA-like cipher.
std::uint32_t gluster_hash(std::string_view text);

// The part of a name that is hashed: of rsync's temporary name ".NAME.SUFFIX" it is NAME, so that a file stays where it
// is when it gets its name. It is the default of the option rsync-hash-regex.
std::string_view gluster_hashed_part(std::string_view name);

// The number of the brick, in the order of the volume, for a path from the root of the volume ("/d/f"). All bricks are
// of one size, and the directory was made when all of them were there.
std::uint32_t gluster_brick(std::string_view path, std::uint32_t bricks);

}  // namespace plumbline::hw::storage
