/*
 * Keeps what the state of a runner was at its last sync: a library for LD_PRELOAD, for tests of a loss of
 * power. Before each write to a file called state.* it appends the bytes that are overwritten to
 * $UNSYNCED_DIR/<name>, and empties that file after a successful fsync or fdatasync of the file. A
 * process that is killed leaves behind what a loss of power could take: losePower.ts takes it.
 *
 * An entry is four numbers of 64 bits (offset, bytes kept, size of the file before, a spare one) and the
 * bytes. $KILL_AT_SYNC=n: the process kills itself instead of its nth sync of such a file.
 * $SYNC_MS: how long each sync takes beside its own time, so that kills from outside fall into it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST_FILES 65536
#define REAL(name) ((__typeof__(&name))real(#name))

/* 0: not followed; else the descriptor of its list, plus one. */
static int lists[MOST_FILES];
static ino_t inodes[MOST_FILES];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static long syncs = 0;

static void fail(const char *what, int fd) {
  char text[256];
  int length = snprintf(text, sizeof text, "unsyncedWrites: %s of descriptor %d: %s\n", what, fd, strerror(errno));
  ssize_t written = ((ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(2, text, (size_t)length);
  (void)written;
  abort();
}

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) fail(name, -1);
  return found;
}

static void follow(int fd, const char *path) {
  const char *dir = getenv("UNSYNCED_DIR");
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (!dir || fd < 0 || fd >= MOST_FILES) return;
  lists[fd] = 0;
  if (strcmp(name, "state.db") != 0 && strcmp(name, "state.db-wal") != 0) return;
  char list[4096];
  snprintf(list, sizeof list, "%s/%s", dir, name);
  int opened = REAL(open)(list, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0) fail(list, fd);
  struct stat is;
  if (fstat(fd, &is) != 0) fail("fstat", fd);
  inodes[fd] = is.st_ino;
  lists[fd] = opened + 1;
}

/* The list of a descriptor, or -1. One that was closed in a way that is not seen here may be another file by now. */
static int listed(int fd) {
  if (fd < 0 || fd >= MOST_FILES || lists[fd] == 0) return -1;
  struct stat is;
  if (fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_ino == inodes[fd]) return lists[fd] - 1;
  lists[fd] = 0;
  return -1;
}

/* Keeps `length` bytes from `offset` on, as far as the file has them. */
static void keep(int fd, int list, off_t offset, size_t length) {
  struct stat is;
  if (fstat(fd, &is) != 0) fail("fstat", fd);
  uint64_t kept = 0;
  if (offset < is.st_size) kept = (uint64_t)(is.st_size - offset) < length ? (uint64_t)(is.st_size - offset) : length;
  size_t size = 4 * sizeof(uint64_t) + kept;
  char *entry = malloc(size);
  uint64_t head[4] = {(uint64_t)offset, kept, (uint64_t)is.st_size, 0};
  memcpy(entry, head, sizeof head);
  if (kept && pread(fd, entry + sizeof head, kept, offset) != (ssize_t)kept) fail("pread", fd);
  if (REAL(write)(list, entry, size) != (ssize_t)size) fail("list", list);
  free(entry);
}

#define OPEN_LIKE(name, ...)                                   \
  va_list rest;                                                \
  va_start(rest, flags);                                       \
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
  va_end(rest);                                                \
  int fd = REAL(name)(__VA_ARGS__, flags, mode);               \
  follow(fd, path);                                            \
  return fd;

int open(const char *path, int flags, ...) { OPEN_LIKE(open, path) }
int open64(const char *path, int flags, ...) { OPEN_LIKE(open64, path) }
int openat(int at, const char *path, int flags, ...) { OPEN_LIKE(openat, at, path) }
int openat64(int at, const char *path, int flags, ...) { OPEN_LIKE(openat64, at, path) }

int close(int fd) {
  pthread_mutex_lock(&turn);
  int list = listed(fd);
  if (list >= 0) {
    lists[fd] = 0;
    REAL(close)(list);
  }
  pthread_mutex_unlock(&turn);
  return REAL(close)(fd);
}

#define WRITE_LIKE(call, from, length)                         \
  int list = listed(fd);                                       \
  if (list < 0) return call;                                   \
  pthread_mutex_lock(&turn);                                   \
  keep(fd, list, from, length);                                \
  __typeof__(call) answer = call;                              \
  pthread_mutex_unlock(&turn);                                 \
  return answer;

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  WRITE_LIKE(REAL(pwrite)(fd, bytes, length, at), at, length)
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  WRITE_LIKE(REAL(pwrite64)(fd, bytes, length, at), at, length)
}
ssize_t write(int fd, const void *bytes, size_t length) {
  WRITE_LIKE(REAL(write)(fd, bytes, length), lseek(fd, 0, SEEK_CUR), length)
}
int ftruncate(int fd, off_t size) { WRITE_LIKE(REAL(ftruncate)(fd, size), size, SIZE_MAX) }
int ftruncate64(int fd, off64_t size) { WRITE_LIKE(REAL(ftruncate64)(fd, size), size, SIZE_MAX) }

#define SYNC_LIKE(call)                                        \
  int list = listed(fd);                                       \
  if (list < 0) return call;                                   \
  pthread_mutex_lock(&turn);                                   \
  const char *slow = getenv("SYNC_MS");                        \
  if (slow) usleep(1000 * (useconds_t)atol(slow));             \
  const char *at = getenv("KILL_AT_SYNC");                     \
  if (at && ++syncs == atol(at)) kill(getpid(), SIGKILL);      \
  int answer = call;                                           \
  if (answer == 0 && REAL(ftruncate)(list, 0) != 0) fail("empty", list); \
  pthread_mutex_unlock(&turn);                                 \
  return answer;

int fsync(int fd) { SYNC_LIKE(REAL(fsync)(fd)) }
int fdatasync(int fd) { SYNC_LIKE(REAL(fdatasync)(fd)) }

int unlink(const char *path) {
  int answer = REAL(unlink)(path);
  const char *dir = getenv("UNSYNCED_DIR");
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (answer == 0 && dir && (strcmp(name, "state.db") == 0 || strcmp(name, "state.db-wal") == 0)) {
    char list[4096];
    snprintf(list, sizeof list, "%s/%s", dir, name);
    REAL(unlink)(list);
  }
  return answer;
}
