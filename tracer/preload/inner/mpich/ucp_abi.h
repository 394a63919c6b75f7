/* The part of libucp's binary interface that inner_mpich_*.c stand in front of, so that no site needs its headers.
 *
 * From ucp/api/ucp.h and ucs/type/status.h of UCX 1.13.1. The interface of major version 1 is stable: fields are only
 * added, and a bit of op_attr_mask says which ones a caller has set. */
#ifndef PLUMBLINE_TRACER_PRELOAD_UCP_ABI_H
#define PLUMBLINE_TRACER_PRELOAD_UCP_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef signed char pl_ucs_status; /* a packed enum */
enum { PL_UCS_OK = 0, PL_UCS_ERR_CANCELED = -16, PL_UCS_ERR_LAST = -100 };
static inline int pl_ucs_is_error(const void* result) { return (uintptr_t)result >= (uintptr_t)PL_UCS_ERR_LAST; }

struct pl_ucp_tag_info { /* ucp_tag_recv_info_t */
  uint64_t sender_tag;
  size_t length;
};

typedef void (*pl_ucp_sent)(void* request, pl_ucs_status status, void* user_data);
typedef void (*pl_ucp_received)(void* request, pl_ucs_status status, const struct pl_ucp_tag_info* info,
                                void* user_data);

struct pl_ucp_param { /* ucp_request_param_t, as long as a caller of 1.13 knows it */
  uint32_t attributes, flags;
  void* request;
  union {
    pl_ucp_sent sent;
    pl_ucp_received received;
  } callback;
  uint64_t datatype;
  void *user_data, *reply_buffer;
  int memory_type;
  struct pl_ucp_tag_info* received; /* where the completion tells of itself if it is immediate */
  void* memory_handle;
};
#define PL_UCP_CALLBACK (1u << 1)
#define PL_UCP_USER_DATA (1u << 2)
#define PL_UCP_DATATYPE (1u << 3)
#define PL_UCP_RECEIVED (1u << 7)
#define PL_UCP_NO_IMMEDIATE (1u << 16) /* the callback is called even before the function returns */
/* Fields beyond these are of a later interface; the bits from 16 on are options. */
#define PL_UCP_FIELDS 0x1ffu
#define PL_UCP_ALL_FIELDS 0xffffu
/* Those that a caller has set who knows the first fields only. */
#define PL_UCP_FIRST_FIELDS 0x1fu

#define PL_UCP_CONTIGUOUS 0u /* class of a datatype, its low bits; above them the bytes of an element */
#define PL_UCP_GENERIC 7u
#define PL_UCP_CLASS 7u
#define PL_UCP_CLASS_BITS 3

struct pl_ucp_endpoint_params { /* the beginning of ucp_ep_params_t */
  uint64_t fields;
  const char* address;
};
#define PL_UCP_REMOTE_ADDRESS 1u

struct pl_ucp_generic { /* ucp_generic_dt_ops_t */
  void* (*start_pack)(void* context, const void* buffer, size_t count);
  void* (*start_unpack)(void* context, void* buffer, size_t count);
  size_t (*packed_size)(void* state);
  size_t (*pack)(void* state, size_t offset, void* to, size_t most);
  pl_ucs_status (*unpack)(void* state, size_t offset, const void* from, size_t length);
  void (*finish)(void* state);
};

#endif
