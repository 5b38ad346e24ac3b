/* A disk that can be stopped, slowed and made to lie: loaded with LD_PRELOAD before a program that keeps an SQLite
 * database. The tests of durability and the benchmark build it with `cc -shared -fPIC`; nothing of it is shipped.
 *
 *   ASKBACK_SHIM_STAGE      where to stop: before-write, after-write-before-sync or after-sync-before-acknowledgement
 *   ASKBACK_SHIM_AT         at which time that this stage is reached, from 1
 *   ASKBACK_SYNC_DELAY_US   how much longer every sync takes, in microseconds
 *   ASKBACK_SHIM_FAILS      if set, the sync of a commit fails, once it is armed
 *   ASKBACK_SHIM_UNSYNCED   if set, commits are not synced: what PRAGMA synchronous=NORMAL means for a write-ahead log
 *   ASKBACK_SHIM_FAULTS     a file that says which calls on the hub's files that grow fail: three integers of 32 bits, which are the
 *                           error (0 for none), the calls (1 writes, 2 syncs, 3 both), and the number of calls that have
 *                           failed. Another process may change it at any time
 *
 * SQLite commits by writing frames to a file whose name ends in "-wal" and then syncing it. Where to stop is counted from
 * when the program syncs a file whose name ends in "-armed": by then it has opened its database. Stopping means: one
 * line on standard output, and then the thread that commits goes no further.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* The bytes of a write-ahead log before its first frame. */
#define LOG_HEADER 32

/* Whoever waits for the line kills the program. Should nobody be there any more, it ends by itself. */
#define SECONDS_TO_LIVE 60

static const char *stage;
static unsigned long stop_at;
static long delay_us;
static int unsynced_commits;
static int failing_commits;
static int watching;

/* Shared with the process that makes the disk fail. */
struct faults {
    atomic_int error;
    atomic_int calls;
    atomic_int failed;
};

enum { WRITES = 1, SYNCS = 2 };

static struct faults *faults;

static atomic_int armed;
static atomic_ulong reached;
static atomic_ulong written_since_sync;

__attribute__((constructor)) static void read_environment(void) {
    const char *at = getenv("ASKBACK_SHIM_AT"), *delay = getenv("ASKBACK_SYNC_DELAY_US");
    stage = getenv("ASKBACK_SHIM_STAGE");
    stop_at = at ? strtoul(at, NULL, 10) : 0;
    delay_us = delay ? strtol(delay, NULL, 10) : 0;
    unsynced_commits = getenv("ASKBACK_SHIM_UNSYNCED") != NULL;
    /* A benchmark that only wants slow syncs pays for nothing else. */
    failing_commits = getenv("ASKBACK_SHIM_FAILS") != NULL;
    watching = stage != NULL || unsynced_commits || failing_commits;
    const char *shared = getenv("ASKBACK_SHIM_FAULTS");
    int fd = shared ? open(shared, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *mapped = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) faults = mapped;
    close(fd);
}

/* Asked anew each time: a number that was remembered could be another file's by now. */
static int name_ends_in(int fd, const char *ending) {
    char link[64], name[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name);
    ssize_t wanted = (ssize_t)strlen(ending);
    return length >= wanted && memcmp(name + length - wanted, ending, (size_t)wanted) == 0;
}

/* The file in which the hub looks whether there is room, and the drafts of its small files: they take room as the database does. */
static int takes_room(int fd) {
    char link[64], name[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    name[length < 0 ? 0 : length] = 0;
    return name_ends_in(fd, ".db.probe") || strstr(name, "/.hub.") != NULL;
}

/* Whether a call on this file is to fail now, with its error in errno. */
static int fails(int fd, int call) {
    if (faults == NULL) return 0;
    int error = atomic_load(&faults->error);
    if (error == 0 || (atomic_load(&faults->calls) & call) == 0) return 0;
    int is_database = name_ends_in(fd, ".db") || name_ends_in(fd, ".db-wal") || name_ends_in(fd, ".db-journal");
    if (!is_database && !takes_room(fd)) return 0;
    atomic_fetch_add(&faults->failed, 1);
    errno = error;
    return 1;
}

static void come_to(const char *here) {
    if (stage == NULL || strcmp(stage, here) != 0 || !atomic_load(&armed)) return;
    if (atomic_fetch_add(&reached, 1) + 1 != stop_at) return;
    char line[128];
    int length = snprintf(line, sizeof line, "stage %s %lu\n", here, stop_at);
    syscall(SYS_write, STDOUT_FILENO, line, (size_t)length);
    sleep(SECONDS_TO_LIVE);
    _exit(1);
}

static void before_write(int fd, size_t size) {
    if (!watching || !name_ends_in(fd, "-wal")) return;
    come_to("before-write");
    atomic_fetch_add(&written_since_sync, size);
}

static int sync_file(int fd, long call) {
    if (fails(fd, SYNCS)) return -1;
    if (delay_us > 0) {
        struct timespec delay = {delay_us / 1000000, delay_us % 1000000 * 1000};
        nanosleep(&delay, NULL);
    }
    if (watching && name_ends_in(fd, "-armed")) atomic_store(&armed, 1);
    /* The log is synced at other times, too: when nothing but its header was written, and before a checkpoint, when
     * nothing was. NORMAL syncs those, and none of them comes before an acknowledgement. */
    int commits = watching && name_ends_in(fd, "-wal") && atomic_exchange(&written_since_sync, 0) > LOG_HEADER;
    if (!commits) return (int)syscall(call, fd);
    if (unsynced_commits) return 0;
    if (failing_commits && atomic_load(&armed)) {
        errno = EIO;
        return -1;
    }
    come_to("after-write-before-sync");
    int result = (int)syscall(call, fd);
    come_to("after-sync-before-acknowledgement");
    return result;
}

/* What the program calls instead of the C library's. SQLite seeks and writes, or writes at a place, as it was built. */

int fsync(int fd) { return sync_file(fd, SYS_fsync); }

int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

ssize_t write(int fd, const void *bytes, size_t size) {
    if (fails(fd, WRITES)) return -1;
    before_write(fd, size);
    return syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t place) {
    if (fails(fd, WRITES)) return -1;
    before_write(fd, size);
    return syscall(SYS_pwrite64, fd, bytes, size, place);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t place) {
    if (fails(fd, WRITES)) return -1;
    before_write(fd, size);
    return syscall(SYS_pwrite64, fd, bytes, size, place);
}
