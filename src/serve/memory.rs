//! How much memory the server may take, and how much it takes.
//!
//! Absent on purpose: what is refused at the bound, which the surface decides.

use hosting::memory::{Memory, MemoryBounds};
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// How often it is measured.
const PERIOD: Duration = Duration::from_millis(50);

/// The bounds that are given in MiB; left out, three quarters of what the process can have at all, and half of that for one world.
///
/// # Errors
/// When no thread can be started.
pub(super) fn bounded(server: Option<u64>, world: Option<u64>) -> io::Result<Memory> {
    let server = server.map_or_else(|| available().map_or(u64::MAX, |bytes| bytes / 4 * 3), |mib| mib << 20);
    let world = world.map_or(if server == u64::MAX { server } else { server / 2 }, |mib| mib << 20);
    let taken = Arc::new(AtomicU64::new(resident().unwrap_or(0)));
    let measured = Arc::clone(&taken);
    if server != u64::MAX {
        thread::Builder::new().name("memory".to_owned()).spawn(move || {
            loop {
                thread::sleep(PERIOD);
                measured.store(resident().unwrap_or(0), Ordering::Relaxed);
            }
        })?;
    }
    Ok(Memory::new(MemoryBounds { world, server }, move || taken.load(Ordering::Relaxed)))
}

/// Bytes that this process has in memory, where the system reports it.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    kibibytes(&status[status.find("\nVmRSS:")?..])
}

/// Addresses that the allocator and the threads reserve and never use.
const RESERVED: u64 = 640 << 20;

/// Bytes that this process may have in memory, where the system reports it: of the machine, of its group, and where
/// `ulimit -v` bounds its addresses half of those that it leaves, since memory is given back in other pieces than it is taken
/// in.
fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok()?;
    let machine = kibibytes(machine.lines().find(|line| line.starts_with("MemTotal:"))?)?;
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    let limits = fs::read_to_string("/proc/self/limits").ok();
    let addresses = limits.as_ref().and_then(|limits| addresses(limits));
    [group, addresses.map(|bytes| bytes.saturating_sub(RESERVED) / 2), Some(machine)].into_iter().flatten().min()
}

/// The bound of addresses in `/proc/self/limits`; `None` where it is `unlimited`.
fn addresses(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The number in a line such as `VmRSS:   1234 kB`.
fn kibibytes(line: &str) -> Option<u64> {
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: wire/memory)
    #[test]
    fn a_bound_of_addresses_is_read_from_the_limits_of_the_process() {
        let limits = |bound: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \nMax address space         {bound}            unlimited            bytes     \n"
            )
        };
        for (bound, expected) in [("629145600", Some(629_145_600)), ("unlimited", None)] {
            assert_eq!(addresses(&limits(bound)), expected, "{bound}");
        }
        assert_eq!(addresses(""), None);
    }
}
