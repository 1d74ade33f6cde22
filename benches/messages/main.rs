//! How fast Convive is, and how small: `cargo bench --bench messages`.
//!
//! `-- --quick` makes a short run whose figures mean little; `-- --only NAME` measures one thing: `steps`, `webhook`,
//! `guests`, `memory`, `calendar`, `mongodb`, `api` or `pages`. Everything is printed in one table; the exit code is 0
//! even where a target is missed.
//!
//! The program that is measured is a process of its own (this binary, started again, see `server`). The people who
//! write (`load`) and the Telegram that the courier delivers to stay in this process. What is compared runs with the
//! same arrangement on both sides.

mod api;
mod calendar;
mod guests;
mod load;
mod machine;
mod mongodb;
mod pages;
mod population;
mod report;
mod script;
mod server;
mod steps;
mod webhook;

use std::process::ExitCode;

use anyhow::bail;

use crate::report::Report;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Guests in the large store; the small one has [`Plan::FEW`].
    pub many: usize,
    /// Seconds of each measurement of steps.
    pub steps_seconds: f64,
    /// Messages that a fresh server gets before anything is measured.
    pub warm_up: u64,
    /// Messages of one measurement.
    pub messages: u64,
    /// Messages of one measurement of the server that does nothing.
    pub empty_messages: u64,
    /// Measurements of which the median counts, for the ratio to the server that does nothing.
    pub ratio_pairs: usize,
    /// The same for the two stores.
    pub store_pairs: usize,
    /// Messages after which the memory is read.
    pub memory_messages: u64,
}

impl Plan {
    /// Guests in the small store.
    pub const FEW: usize = 100;

    const FULL: Self = Self {
        many: 100_000,
        steps_seconds: 3.0,
        warm_up: 2_000,
        messages: 20_000,
        empty_messages: 100_000,
        ratio_pairs: 3,
        store_pairs: 5,
        memory_messages: 100_000,
    };
    const QUICK: Self = Self {
        many: 2_000,
        steps_seconds: 0.3,
        warm_up: 200,
        messages: 1_000,
        empty_messages: 5_000,
        ratio_pairs: 1,
        store_pairs: 1,
        memory_messages: 3_000,
    };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Steps,
    Webhook,
    Guests,
    Memory,
    Mongodb,
    Api,
    Calendar,
    Pages,
}

impl Part {
    const ALL: [(&'static str, Self); 8] = [
        ("steps", Self::Steps),
        ("webhook", Self::Webhook),
        ("guests", Self::Guests),
        ("memory", Self::Memory),
        ("mongodb", Self::Mongodb),
        ("api", Self::Api),
        ("calendar", Self::Calendar),
        ("pages", Self::Pages),
    ];
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.split_first() {
        Some((first, rest)) if first == server::ARGUMENT => server::run(rest),
        Some((first, rest)) if first == calendar::ARGUMENT => calendar::plan(rest),
        _ => measure(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::line(&format!("the benchmark failed: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &[String]) -> anyhow::Result<()> {
    let (plan, parts) = read(args)?;
    let mut report = Report::start(&plan)?;
    let wanted = |part| parts.is_empty() || parts.contains(&part);
    if wanted(Part::Steps) {
        steps::measure(&plan, &mut report)?;
    }
    if wanted(Part::Webhook) || wanted(Part::Guests) || wanted(Part::Memory) {
        let mut bench = webhook::Bench::prepare(&plan)?;
        if wanted(Part::Webhook) {
            bench.throughput(&mut report)?;
        }
        if wanted(Part::Guests) {
            bench.few_and_many_guests(&mut report)?;
        }
        if wanted(Part::Memory) {
            bench.memory(&mut report)?;
        }
    }
    // Only where it is asked for: it needs a server.
    if parts.contains(&Part::Mongodb) {
        mongodb::measure(&plan, &mut report)?;
    }
    if wanted(Part::Api) {
        api::measure(&plan, &mut report)?;
    }
    if wanted(Part::Calendar) {
        calendar::measure(&plan, &mut report)?;
    }
    if wanted(Part::Pages) {
        pages::measure(&plan, &mut report)?;
    }
    report.finish();
    Ok(())
}

fn read(args: &[String]) -> anyhow::Result<(Plan, Vec<Part>)> {
    let mut plan = Plan::FULL;
    let mut parts = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            // Cargo says so to every benchmark.
            "--bench" => {}
            "--quick" => plan = Plan::QUICK,
            "--only" => {
                let name = args.next().map(String::as_str).unwrap_or_default();
                match Part::ALL.iter().find(|(known, _)| *known == name) {
                    Some((_, part)) => parts.push(*part),
                    None => bail!("--only takes one of {:?}, not {name:?}", Part::ALL.map(|(name, _)| name)),
                }
            }
            other => bail!("unknown argument {other:?}; known are --quick and --only NAME"),
        }
    }
    Ok((plan, parts))
}
