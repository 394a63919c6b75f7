// MPICH 4.0 over UCX's TCP may wait in MPI_Finalize for ever. It closes its connections and then waits in a barrier of
// the process manager, a blocking read (ch4/netmod/ucx/ucx_init.c, MPIDI_UCX_mpi_finalize_hook). UCX 1.13 closes by an
// empty PUT that the peer must acknowledge (uct/tcp/tcp_ep.c, uct_tcp_ep_flush), and a peer that is in that barrier
// reads no more: one that was acknowledged before it closed itself is there too early.
//
// This definition takes the place of UCX's in the program of the ranks: nothing is closed before the barrier, and what
// is open goes with the worker after it. Nothing is lost: all messages were received before MPI_Finalize.

// 0, UCS_OK: closed, and nothing to wait for.
extern "C" [[gnu::visibility("default")]] void* ucp_disconnect_nb(void* /*endpoint*/) { return nullptr; }
