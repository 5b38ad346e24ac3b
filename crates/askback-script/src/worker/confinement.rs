//! The confinement of a worker process: what the system refuses it, whatever happens inside.
//!
//! Resource limits bound its memory and forbid core dumps and files. On Linux a seccomp filter allows the system calls that the
//! engine, its threads and its two pipes need; all others fail as if the system did not have them. Both are for good. Elsewhere
//! there are the resource limits alone.

use crate::limits::DATA_BYTES;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;

/// Descriptors of a worker: its pipes.
const DESCRIPTORS: u64 = 3;

/// Confines this process.
pub(super) fn confine() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        rustix::thread::set_name(c"askback-scripts")?;
        // Where memory runs out, the system ends a worker before the hub. Without /proc the order is the system's.
        let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
        limit(Resource::Data, DATA_BYTES as u64)?;
    }
    #[cfg(not(target_os = "linux"))]
    {
        // Systems differ in what they accept here.
        let bytes = DATA_BYTES as u64;
        let _ = limit(Resource::As, bytes).and_then(|()| limit(Resource::Data, bytes));
        let _ = limit(Resource::Nproc, 0);
    }
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, DESCRIPTORS)?;
    #[cfg(target_os = "linux")]
    linux::refuse_system_calls()?;
    Ok(())
}

fn limit(resource: Resource, wanted: u64) -> io::Result<()> {
    // What is limited further already stays so.
    let most = getrlimit(resource).maximum.map_or(wanted, |most| most.min(wanted));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

#[cfg(target_os = "linux")]
mod linux {
    use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
    use seccompiler::{
        BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule,
    };
    use std::collections::BTreeMap;
    use std::{io, process};

    /// System calls that are allowed whatever their arguments are: memory, threads, time, and an orderly end.
    const ALLOWED: &[libc::c_long] = &[
        libc::SYS_brk,
        libc::SYS_clock_gettime,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        // The engine's time of day. Where the vDSO has no clock to read, the C library makes the call.
        libc::SYS_gettimeofday,
        libc::SYS_madvise,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_restart_syscall,
        libc::SYS_rseq,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_set_robust_list,
        libc::SYS_sigaltstack,
    ];

    /// Applies the filter to this process. It also keeps a program from gaining privileges.
    pub(super) fn refuse_system_calls() -> io::Result<()> {
        let apply = || {
            let filter = filter().map_err(seccompiler::Error::from)?;
            seccompiler::apply_filter_all_threads(&filter)
        };
        apply().map_err(|error| io::Error::other(format!("the system does not confine it by seccomp: {error}")))
    }

    pub(super) fn filter() -> Result<BpfProgram, BackendError> {
        let any: BTreeMap<_, _> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
        let (exec, thread) = (libc::PROT_EXEC as u64, libc::CLONE_THREAD as u64);
        let mut rules = BTreeMap::from([
            (libc::SYS_read, vec![rule(0, Eq, libc::STDIN_FILENO)?]),
            (libc::SYS_write, vec![rule(0, Eq, libc::STDOUT_FILENO)?, rule(0, Eq, libc::STDERR_FILENO)?]),
            // No memory that can be executed: no code is made.
            (libc::SYS_mmap, vec![rule(2, MaskedEq(exec), 0)?]),
            (libc::SYS_mprotect, vec![rule(2, MaskedEq(exec), 0)?]),
            // Threads, and no processes. A filter can't see the flags of clone3; without it the C library calls clone.
            (libc::SYS_clone, vec![rule(0, MaskedEq(thread), libc::CLONE_THREAD)?]),
            // The name of a thread, and no other option.
            (libc::SYS_prctl, vec![rule(0, Eq, libc::PR_SET_NAME)?]),
            // To abort: signals to this process alone.
            (libc::SYS_tgkill, vec![rule(0, Eq, process::id().cast_signed())?]),
        ]);
        rules.extend(any);
        let refused = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        let architecture = std::env::consts::ARCH.try_into()?;
        SeccompFilter::new(rules, refused, SeccompAction::Allow, architecture)?.try_into()
    }

    /// The rule that an argument, all of whose used bits are in its lower half, has a value.
    fn rule(argument: u8, compare: SeccompCmpOp, value: i32) -> Result<SeccompRule, BackendError> {
        let value = u64::from(value.unsigned_abs());
        SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, compare, value)?])
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::confine;
    use rustix::process::Pid;
    use std::fs::File;
    use std::io;
    use std::net::UdpSocket;
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, exit};

    /// What the child of the test is started with, which confines itself.
    const CHILD: &str = "ASKBACK_TEST_CONFINED";

    type Attempt = (&'static str, fn() -> io::Result<()>);

    /// What nothing in a worker may do. The first ones succeed in a process that is not confined.
    const ATTEMPTS: &[Attempt] = &[
        ("read a file", || File::open("/proc/self/status").map(drop)),
        ("write a file", || File::options().write(true).open("/dev/null").map(drop)),
        ("open a folder", || std::fs::read_dir("/").map(drop)),
        ("open a UDP socket", || UdpSocket::bind("127.0.0.1:0").map(drop)),
        ("open a pair of sockets", || UnixStream::pair().map(drop)),
        ("start a program", || Command::new("true").status().map(drop)),
        ("signal another process", || Ok(rustix::process::test_kill_process(Pid::INIT)?)),
        ("lower the priority of another process", || Ok(rustix::process::setpriority_process(Some(Pid::INIT), 5)?)),
        ("become another program", || Err(Command::new("true").exec())),
    ];

    /// How many of them harm nobody.
    const POSSIBLE: usize = 6;

    /// What the filter returns for a call with these arguments, as the kernel runs it. Nothing for an instruction that is not known here.
    fn verdict(call: libc::c_long, arguments: [u64; 3]) -> Option<u32> {
        let program = super::linux::filter().ok()?;
        // The number of the call, the architecture, the address, and the arguments, in words.
        let mut data = vec![u32::try_from(call).ok()?, program[1].k, 0, 0];
        data.extend(arguments.iter().flat_map(|argument| [*argument as u32, (argument >> 32) as u32]));
        let (mut accumulator, mut next) = (0, 0);
        loop {
            let step = &program[next];
            next += 1;
            let mut jump = |holds: bool| next += usize::from(if holds { step.jt } else { step.jf });
            match u32::from(step.code) {
                libc::BPF_RET => return Some(step.k),
                code if code == libc::BPF_LD | libc::BPF_ABS => accumulator = data[step.k as usize / 4],
                code if code == libc::BPF_ALU | libc::BPF_AND => accumulator &= step.k,
                code if code == libc::BPF_JMP | libc::BPF_JEQ => jump(accumulator == step.k),
                code if code == libc::BPF_JMP | libc::BPF_JGT => jump(accumulator > step.k),
                code if code == libc::BPF_JMP | libc::BPF_JGE => jump(accumulator >= step.k),
                code if code == libc::BPF_JMP | libc::BPF_JA => next += step.k as usize,
                _ => return None,
            }
        }
    }

    // S3
    #[test]
    fn filter_allows_memory_threads_and_time_and_no_code_and_no_process() {
        let (data, code) = (libc::PROT_READ | libc::PROT_WRITE, libc::PROT_READ | libc::PROT_EXEC);
        let protections = [data, code].map(|protection| [0, 4096, u64::from(protection.unsigned_abs())]);
        let thread = u64::from((libc::CLONE_THREAD | libc::CLONE_VM).unsigned_abs());
        let process = u64::from(libc::SIGCHLD.unsigned_abs());
        for (call, allowed, refused) in [
            (libc::SYS_mmap, protections[0], protections[1]),
            (libc::SYS_mprotect, protections[0], protections[1]),
            (libc::SYS_clone, [thread, 0, 0], [process, 0, 0]),
            (libc::SYS_read, [0, 0, 0], [3, 0, 0]),
            (libc::SYS_write, [1, 0, 0], [3, 0, 0]),
        ] {
            assert_eq!(verdict(call, allowed), Some(libc::SECCOMP_RET_ALLOW), "{call}: {allowed:?}");
            let errno = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();
            assert_eq!(verdict(call, refused), Some(errno), "{call}: {refused:?}");
        }
        // Both clocks of the engine, also where no vDSO answers.
        for call in [libc::SYS_clock_gettime, libc::SYS_gettimeofday] {
            assert_eq!(verdict(call, [0; 3]), Some(libc::SECCOMP_RET_ALLOW), "{call}");
        }
    }

    // S3
    #[test]
    fn confined_process_can_open_start_and_reach_nothing() {
        if std::env::var_os(CHILD).is_some() {
            exit(confined());
        }
        for (what, attempt) in &ATTEMPTS[..POSSIBLE] {
            attempt().unwrap_or_else(|error| panic!("{what}: {error}"));
        }
        let name = "worker::confinement::tests::confined_process_can_open_start_and_reach_nothing";
        let mut child = Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", output.status);
    }

    /// Runs in a process of its own. It can do no more than say on standard error what went wrong.
    fn confined() -> i32 {
        if let Err(error) = confine() {
            eprintln!("{error}");
            return 1;
        }
        let mut failed = 0;
        for (what, attempt) in ATTEMPTS {
            let refused = attempt().map_err(|error| error.raw_os_error());
            if refused != Err(Some(libc::ENOSYS)) {
                eprintln!("{what}: {refused:?}");
                failed = 1;
            }
        }
        // What a script needs is there.
        let bytes = std::thread::spawn(|| vec![1_u8; 8 << 20].len()).join();
        if bytes.ok() != Some(8 << 20) {
            eprintln!("no thread, or no memory");
            failed = 1;
        }
        failed
    }
}
