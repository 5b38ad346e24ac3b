/* A clock that is wrong: loaded with LD_PRELOAD before a program, it has the time of day begin at the seconds since 1970 in
 * ASKBACK_CLOCK when the program starts. Nothing of it is shipped. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long shift;

__attribute__((constructor)) static void read_environment(void) {
    const char *wanted = getenv("ASKBACK_CLOCK");
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    shift = wanted ? strtol(wanted, NULL, 10) - now.tv_sec : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift;
    return result;
}
