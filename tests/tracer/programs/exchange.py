#!/usr/bin/python3
"""Two ranks: a thousand exchanges of buffers and a thousand of pickled objects."""
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
peer = 1 - comm.rank
received = array("i", [0] * 4)
for i in range(1000):
    comm.Sendrecv([array("i", [i] * 4), MPI.INT], peer, i, [received, MPI.INT], peer, i)
    assert received[3] == i
for i in range(1000):
    if comm.rank == 0:
        comm.send({"number": i}, peer, i)
    else:
        assert comm.recv(source=peer, tag=i)["number"] == i
