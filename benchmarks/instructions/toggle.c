/* What a program tells callgrind while it runs: from where to where instructions are counted, and under which name.
   Built and loaded by count.py. */
#include <valgrind/callgrind.h>

int under_valgrind(void) { return RUNNING_ON_VALGRIND; }

void start_instrumentation(void) { CALLGRIND_START_INSTRUMENTATION; }

void begin(void) {
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
}

void end(const char *name) {
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_DUMP_STATS_AT(name);
}
