/* A slower disk: every sync takes ASKBACK_BENCH_SYNC_DELAY_US microseconds longer. Preloaded by slow_sync.rs. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int delayed(const char *name, int file)
{
    const char *text = getenv("ASKBACK_BENCH_SYNC_DELAY_US");
    long microseconds = text ? atol(text) : 0;
    struct timespec delay = {microseconds / 1000000, microseconds % 1000000 * 1000};
    int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    nanosleep(&delay, NULL);
    return sync(file);
}

int fsync(int file)
{
    return delayed("fsync", file);
}

int fdatasync(int file)
{
    return delayed("fdatasync", file);
}
