/* Preloaded into a program, kills it in the middle of its n-th pwrite: the first half is written, the rest not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

int write_to_tear = 0; /* 0 = none */
int writes = 0;

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    ssize_t (*write_whole)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
    int number = __atomic_add_fetch(&writes, 1, __ATOMIC_SEQ_CST);
    if (number != write_to_tear) return write_whole(file, bytes, size, offset);
    write_whole(file, bytes, size / 2 / 4096 * 4096, offset); /* the system writes whole pages of memory */
    kill(getpid(), SIGKILL);
    return -1;
}
