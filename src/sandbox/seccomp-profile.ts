/*
 * The system calls that programs of a repository may need: reading and writing, processes, memory, time, signals,
 * sockets. Everything else is refused, above all what reaches wide into the kernel: namespaces, mounts, modules, keys,
 * bpf, performance counters, userfaultfd, io_uring. Nothing is here that Docker 20.10's own profile refuses to a container
 * without capabilities (every number was tried); that one lets io_uring through. Only the machine's native calls are
 * known, so that 32-bit programs do not run.
 */
const FILES = `access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
  fallocate fchdir fchmod fchmodat fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fremovexattr
  fsetxattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr inotify_add_watch inotify_init
  inotify_init1 inotify_rm_watch ioctl lchown lgetxattr link linkat listxattr llistxattr lremovexattr lseek lsetxattr
  lstat mkdir mkdirat mknod mknodat newfstatat open openat openat2 pipe pipe2 pread64 preadv preadv2 pwrite64 pwritev
  pwritev2 read readahead readlink readlinkat readv removexattr rename renameat renameat2 rmdir sendfile setxattr splice
  stat statfs statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink unlinkat utime utimensat
  utimes vmsplice write writev`;
const WAITING = `epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 futex futex_waitv
  get_robust_list io_cancel io_destroy io_getevents io_pgetevents io_setup io_submit poll ppoll pselect6 select
  set_robust_list`;
const PROCESSES = `arch_prctl capget capset execve execveat exit exit_group fork getcpu getegid geteuid getgid getgroups getpgid
  getpgrp getpid getppid getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid ioprio_get ioprio_set
  landlock_add_rule
  landlock_create_ruleset landlock_restrict_self membarrier modify_ldt pidfd_open pidfd_send_signal prctl prlimit64 ptrace restart_syscall rseq sched_get_priority_max
  sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval
  sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp set_thread_area set_tid_address
  get_thread_area setfsgid setfsuid setgid setgroups setpgid setpriority setregid setresgid setresuid setreuid setrlimit
  setsid setuid sysinfo times uname vfork wait4 waitid`;
const MEMORY = `brk madvise memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock munlockall munmap
  remap_file_pages`;
const SIGNALS = `kill pause rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend
  rt_sigtimedwait rt_tgsigqueueinfo sigaltstack signalfd signalfd4 tgkill tkill`;
const TIME = `alarm clock_getres clock_gettime clock_nanosleep getitimer getrandom gettimeofday nanosleep setitimer time
  timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime`;
const EXCHANGE = `accept accept4 bind connect getpeername getsockname getsockopt listen mq_getsetattr mq_notify mq_open
  mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd recvfrom recvmmsg recvmsg semctl semget semop
  semtimedop sendmmsg sendmsg sendto setsockopt shmat shmctl shmdt shmget shutdown socketpair`;

/** `CLONE_NEWNS` and its six relatives of clone(2): a new process may not bring a new namespace. */
const NEW_NAMESPACES = 0x7e020000;
/** `AF_UNIX`, `AF_INET`, `AF_INET6`, `AF_NETLINK`. */
const ADDRESS_FAMILIES = [1, 2, 10, 16];
/** `PER_LINUX`, `PER_LINUX32`, and the question which one it is. */
const PERSONALITIES = [0, 8, 0xffffffff];
const ENOSYS = 38;

/** The machines, as `docker info` names them, whose numbers of arguments the profile is written for. */
const ARCHITECTURES: Record<string, string> = { x86_64: 'SCMP_ARCH_X86_64', aarch64: 'SCMP_ARCH_AARCH64' };

/** The profile in the engine's format, for its option `seccomp=`; undefined for machines that it does not fit. */
export function seccompProfile(architecture: string): string | undefined {
  const name = ARCHITECTURES[architecture];
  if (name === undefined) return undefined;
  const always = [FILES, WAITING, PROCESSES, MEMORY, SIGNALS, TIME, EXCHANGE].join(' ').split(/\s+/);
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ERRNO',
    architectures: [name],
    syscalls: [
      { names: always, action: 'SCMP_ACT_ALLOW' },
      allowWhen('clone', { value: NEW_NAMESPACES, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }),
      // Its arguments cannot be seen by a filter. Told that it does not exist, the C library takes clone.
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
      ...ADDRESS_FAMILIES.map((value) => allowWhen('socket', { value, op: 'SCMP_CMP_EQ' })),
      ...PERSONALITIES.map((value) => allowWhen('personality', { value, op: 'SCMP_CMP_EQ' })),
    ],
  });
}

/** Allowed where the first argument is what `comparison` says. */
const allowWhen = (name: string, comparison: { value: number; valueTwo?: number; op: string }) => ({
  names: [name],
  action: 'SCMP_ACT_ALLOW',
  args: [{ index: 0, valueTwo: 0, ...comparison }],
});
