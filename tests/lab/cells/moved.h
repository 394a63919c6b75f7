// Whether the host of a virtual machine has moved the core of the switch away from that of rank 0, and drawing them
// together again (../node/near.h).
#pragma once
#include <stdbool.h>

// `cores`: "1,0", that of rank 0 and that of the switch. They are apart above `below_ns`. `control`: the switch's
// socket, if cores are kept awake by it; else NULL. False: these cores cannot be used.
bool moved_start(const char* cores, double below_ns, const char* control);

// Whether they are apart; never before moved_start().
bool moved(void);

// Until they are not apart, but no longer than a second or two.
void move_back(void);

// Does this on the core of the switch, and waits; nothing before moved_start().
void on_core_of_switch(void (*what)(void));
