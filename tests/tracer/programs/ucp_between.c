/* Another tool in front of libucp: it passes everything on. */
#define _GNU_SOURCE
#include <dlfcn.h>

signed char ucp_ep_create(void* worker, const void* params, void** endpoint) {
  signed char (*next)(void*, const void*, void**) = dlsym(RTLD_NEXT, "ucp_ep_create");
  signed char status = next(worker, params, endpoint);
  return status;
}
