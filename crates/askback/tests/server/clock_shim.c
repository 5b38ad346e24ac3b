/* A clock that is wrong: loaded with LD_PRELOAD before a program, it has the time of day begin at the seconds since 1970 in
 * ASKBACK_CLOCK when the program starts, and adds the seconds that the file ASKBACK_CLOCK_FILE holds at each moment, a long.
 * Nothing of it is shipped. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long shift;
static const volatile long *jump;

__attribute__((constructor)) static void read_environment(void) {
    const char *wanted = getenv("ASKBACK_CLOCK");
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    shift = wanted ? strtol(wanted, NULL, 10) - now.tv_sec : 0;
    const char *path = getenv("ASKBACK_CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *jump, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) jump = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift + (jump ? *jump : 0);
    return result;
}
