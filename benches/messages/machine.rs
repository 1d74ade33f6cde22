//! What the machine says: its cores, its disk, and what a process uses.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;

/// Linux counts processor time in hundredths of a second towards programs (`man 5 proc`, `man 7 time`).
const TICKS_A_SECOND: f64 = 100.0;

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// A folder for stores, below the build's own folder: a real disk where `/tmp` may be memory.
pub fn scratch() -> anyhow::Result<PathBuf> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("messages-bench");
    fs::create_dir_all(&path).with_context(|| format!("cannot make the folder {}", path.display()))?;
    Ok(path)
}

/// How long the disk takes to keep a page: the median of many.
pub fn fsync_latency(folder: &Path) -> anyhow::Result<Duration> {
    const WRITES: usize = 100;
    let path = folder.join("fsync");
    let mut file = File::create(&path)?;
    let mut latencies = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        let began = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        latencies.push(began.elapsed());
    }
    drop(file);
    fs::remove_file(&path)?;
    latencies.sort_unstable();
    Ok(latencies[WRITES / 2])
}

/// Resident memory of a process in bytes (`VmRSS`).
pub fn resident(process: u32) -> anyhow::Result<u64> {
    memory_of(process, "VmRSS:")
}

/// The most memory that this process ever had, in bytes (`VmHWM`).
pub fn most_resident() -> anyhow::Result<u64> {
    most_resident_of(std::process::id())
}

/// The same of another process.
pub fn most_resident_of(process: u32) -> anyhow::Result<u64> {
    memory_of(process, "VmHWM:")
}

fn memory_of(process: u32, what: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line =
        status.lines().find_map(|line| line.strip_prefix(what)).with_context(|| format!("no {what} in /proc"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kib * 1024)
}

/// Processor time that a process has used, in seconds: its own and the system's for it.
pub fn processor_time(process: u32) -> anyhow::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The second field, the name in parentheses, may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')').context("odd /proc/PID/stat")?.1.split_whitespace().collect();
    let ticks =
        |place: usize| -> anyhow::Result<f64> { Ok(fields.get(place).context("short /proc/PID/stat")?.parse()?) };
    Ok((ticks(11)? + ticks(12)?) / TICKS_A_SECOND)
}

/// Processor time that this thread has used so far. Where the system does not keep it: the time that has passed.
pub fn own_processor_time(since: Instant) -> Duration {
    let on_processor = || -> Option<Duration> {
        let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(stat.split_whitespace().next()?.parse().ok()?))
    };
    on_processor().unwrap_or_else(|| since.elapsed())
}
