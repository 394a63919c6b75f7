"""GlusterFS volume files written by hand: no management daemon, so several servers fit on one machine."""

from laboratory.plan import Node

PORT = 24007
VOLUME = "lab"
SHARD = "4MB"

# A block is named IDENTITY.NUMBER, and the random identity would send the blocks of every file elsewhere. So only the
# number is hashed: the same block of every file is on the same server.
_BLOCK_NUMBER = "^[0-9a-f-]+([.][0-9]+)$"


def _volume(name: str, kind: str, options: dict[str, str], subvolumes: list[str]) -> str:
    lines = [f"volume {name}", f"  type {kind}"]
    lines += [f"  option {key} {value}" for key, value in options.items()]
    if subvolumes:
        lines.append("  subvolumes " + " ".join(subvolumes))
    return "\n".join(lines) + "\nend-volume\n\n"


def server_volume(directory: str) -> str:
    """From the disk up to the network. delay-gen delays nothing (0 %): it is there for a fault to switch on."""
    exported = f"{VOLUME}-brick"
    return (
        _volume("posix", "storage/posix", {"directory": directory, "health-check-interval": "0"}, [])
        + _volume("locks", "features/locks", {}, ["posix"])
        + _volume("delay", "debug/delay-gen", {"delay-percentage": "0", "enable": "read,write"}, ["locks"])
        + _volume(exported, "performance/io-threads", {"thread-count": "4"}, ["delay"])
        + _volume("server", "protocol/server",
                  {"transport-type": "tcp", "transport.address-family": "inet",
                   "transport.socket.listen-port": str(PORT), f"auth.addr.{exported}.allow": "*"}, [exported]))


def client_volume(servers: list[Node], whole_files: bool = False) -> str:
    """Bricks, files spread over them by name, and large files spread by shards. No caches: writes reach the bricks.

    Where several nodes read a block of a file of shards, change parts of it and write it back, under locks, the file is
    wrong in the end (MPICH's data sieving: 4 of 4 runs; of whole files none of 4).
    """
    text = "".join(
        _volume(f"client-{server.name}", "protocol/client",
                {"transport-type": "tcp", "transport.address-family": "inet", "remote-host": server.address,
                 "remote-port": str(PORT), "remote-subvolume": f"{VOLUME}-brick", "ping-timeout": "0"}, [])
        for server in servers)
    text += _volume(VOLUME if whole_files else "placement", "cluster/distribute",
                    {"lookup-unhashed": "on", "extra-hash-regex": _BLOCK_NUMBER},
                    [f"client-{server.name}" for server in servers])
    return text if whole_files else text + _volume(VOLUME, "features/shard", {"shard-block-size": SHARD}, ["placement"])
