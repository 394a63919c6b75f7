"""The speed and duplex that a node's interface states (/sys/class/net/eth0/speed, ethtool): what a cable was negotiated
to carry, whatever it carries. A TAP device keeps what it is told and does nothing with it."""

import ctypes
import fcntl
import os
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from laboratory import node_settings
from laboratory.network import DEVICE
from laboratory.plan import Laboratory

_SIOCETHTOOL, _ETHTOOL_SSET = 0x8946, 0x00000002  # linux/sockios.h, linux/ethtool.h
_DUPLEX = {"half": 0, "full": 1}
_REQUEST = struct.Struct("16sP16x")  # struct ifreq: the interface, a pointer to the command

# struct ethtool_cmd: cmd, supported, advertising; speed (its low 16 bits), duplex, port, phy_address, transceiver, autoneg,
# mdio_support; maxtxpkt, maxrxpkt; speed_hi, eth_tp_mdix, eth_tp_mdix_ctrl; lp_advertising, reserved[2]
_COMMAND = struct.Struct("=3IH6B2IH2B3I")


@dataclass(frozen=True)
class Stated:
    """What an interface says of its cable."""
    rate: int  # bit/s
    duplex: str = "full"

    @property
    def speed(self) -> int:
        """In the unit of interfaces: whole Mbit/s, 1 at least."""
        return max(1, self.rate // 1_000_000)


def as_planned(lab: Laboratory) -> dict[str, Stated]:
    """What the cables of the healthy laboratory state."""
    return {node.name: Stated(lab.options.rate) for node in lab.nodes}


def put(lab: Laboratory, wanted: Mapping[str, Stated]) -> str:
    """Makes the interfaces of these nodes state this; from outside of the laboratory. Why the kernel refuses, else ""."""
    refused = node_settings.on_nodes(
        lab, {name: lambda stated=stated: put_here(stated) for name, stated in wanted.items()}, "net")
    return next((str(reason) for reason in refused if reason), "")


def put_here(stated: Stated) -> str:
    """The same in the network namespace of this process."""
    command = ctypes.create_string_buffer(_command(stated))
    request = _REQUEST.pack(DEVICE.encode(), ctypes.addressof(command))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        try:
            fcntl.ioctl(handle, _SIOCETHTOOL, request)
        except OSError as error:
            return (f"interfaces do not state the speed of their cables: the kernel refuses it "
                    f"({os.strerror(error.errno or 0)}); all else works")
    return ""


def _command(stated: Stated) -> bytes:
    high, low = divmod(stated.speed, 1 << 16)
    return _COMMAND.pack(_ETHTOOL_SSET, 0, 0, low, _DUPLEX[stated.duplex], 0, 0, 0, 0, 0, 0, 0, high, 0, 0, 0, 0, 0)
