"""System calls that a confined process may use, with numbers by architecture.

Sources: the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and, for aarch64,
`include/uapi/asm-generic/unistd.h`. A dash marks calls that an architecture lacks.
"""

from __future__ import annotations

from collections.abc import Mapping

# name, number on x86_64, number on aarch64
FILES = """
read 0 63, readv 19 65, pread64 17 67, preadv 295 69, preadv2 327 286, write 1 64, writev 20 66,
pwrite64 18 68, pwritev 296 70, pwritev2 328 287, lseek 8 62, close 3 57, close_range 436 436,
dup 32 23, dup2 33 -, dup3 292 24, fstat 5 80, newfstatat 262 79, stat 4 -, lstat 6 -, statx 332
291, access 21 -, faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78,
getdents64 217 61, getcwd 79 17, statfs 137 43, fstatfs 138 44, pipe 22 -, pipe2 293 59, poll 7
-, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create1 291 20, epoll_ctl 233 21,
epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd2 290 19, flock 73 32,
fadvise64 221 223, readahead 187 213, copy_file_range 326 285, sendfile 40 71, ftruncate 77 46,
fallocate 285 47, fsync 74 82, fdatasync 75 83
"""
CONNECTED_SOCKETS = """
sendto 44 206, recvfrom 45 207, shutdown 48 210, getsockname 51 204, getpeername 52 205,
getsockopt 55 209
"""
MEMORY = """
brk 12 214, mmap 9 222, munmap 11 215, mprotect 10 226, mremap 25 216, madvise 28 233, mincore
27 232, msync 26 227, membarrier 324 283, pkey_alloc 330 289, pkey_free 331 290, pkey_mprotect
329 288, mseal 462 462
"""
THREADS = """
set_robust_list 273 99, get_robust_list 274 100, set_tid_address 218 96, rseq 334 293, futex 202
98, futex_waitv 449 449, futex_wake 454 454, futex_wait 455 455, futex_requeue 456 456,
sched_yield 24 124, sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145
120, sched_get_priority_max 146 125, sched_get_priority_min 147 126, exit 60 93, exit_group 231
94, gettid 186 178, arch_prctl 158 -
"""
TIME = """
clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115, nanosleep 35 101,
gettimeofday 96 169, time 201 -, times 100 153, timer_create 222 107, timer_settime 223 110,
timer_delete 226 111, setitimer 38 103, getitimer 36 102
"""
SIGNALS = """
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, sigaltstack 131 132,
rt_sigtimedwait 128 137, rt_sigpending 127 136, rt_sigsuspend 130 133, restart_syscall 219 128,
pause 34 -
"""
IDENTITY = """
getpid 39 172, getppid 110 173, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108
177, getgroups 115 158, getresuid 118 148, getresgid 120 150, getpgrp 111 -, getpgid 121 155,
getsid 124 156, capget 125 90, umask 95 166, getrusage 98 165, getrlimit 97 163, getcpu 309 168,
sysinfo 99 179, uname 63 160, getrandom 318 278
"""
FILTERED_BY_ARGUMENT = """
socketpair 53 199, clone 56 220, clone3 435 435, open 2 -, openat 257 56, ioctl 16 29,
fcntl 72 25, prctl 157 167,
prlimit64 302 261, kill 62 129, tgkill 234 131
"""
CHANGES_OF_FOLDERS = """
mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -, unlinkat 263 35, rename 82 -, renameat 264
38, renameat2 316 276
"""
RECEIVED_DESCRIPTORS = """
recvmsg 47 212
"""
CONFINING = """
landlock_create_ruleset 444 444, landlock_add_rule 445 445, landlock_restrict_self 446 446,
seccomp 317 277, prctl 157 167, capget 125 90, capset 126 91
"""

_COLUMNS = {"x86_64": 1, "aarch64": 2}
HIGHEST_KNOWN = 466  # newer calls fail with ENOSYS, as on an older kernel


def numbers(group: str, machine: str) -> Mapping[str, int]:
    """Return the numbers of a group's calls by name, for a `platform.machine()`.

    Raises `KeyError` for an architecture without a table.
    """
    column = _COLUMNS[machine]
    rows = (entry.split() for entry in group.split(","))
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
