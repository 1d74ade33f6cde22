//! What is printed: progress while something takes longer than a second, and the table at the end.

use std::{
    io::Write as _,
    time::{Duration, Instant},
};

use crate::{Plan, machine};

/// Prints one line at once. A closed output is nobody's concern here.
pub fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// Says how far something is, once a second.
pub struct Progress {
    what: String,
    of: u64,
    began: Instant,
    told: Instant,
}

impl Progress {
    pub fn start(what: &str, of: u64) -> Self {
        let now = Instant::now();
        Self { what: what.to_owned(), of, began: now, told: now }
    }

    pub fn at(&mut self, done: u64) {
        if self.told.elapsed() >= Duration::from_secs(1) {
            self.told = Instant::now();
            line(&format!("  {}: {done} of {} after {:.0} s", self.what, self.of, self.began.elapsed().as_secs_f64()));
        }
    }
}

struct Row {
    what: String,
    seen: String,
    /// The target in words, and whether it is met.
    target: Option<(String, bool)>,
}

/// The table.
pub struct Report {
    began: Instant,
    is_quick: bool,
    rows: Vec<Row>,
}

impl Report {
    pub fn start(plan: &Plan) -> anyhow::Result<Self> {
        let mut report = Self { began: Instant::now(), is_quick: plan.many < Plan::FULL.many, rows: Vec::new() };
        report.row("cores", machine::cores().to_string());
        let fsync = machine::fsync_latency(&machine::scratch()?)?;
        report.row("a durable write of 4 KiB", format!("{:.2} ms (median)", millis(fsync)));
        Ok(report)
    }

    /// A figure for context.
    pub fn row(&mut self, what: &str, seen: String) {
        line(&format!("{what}: {seen}"));
        self.rows.push(Row { what: what.to_owned(), seen, target: None });
    }

    /// A figure with a target.
    pub fn target(&mut self, what: &str, seen: String, target: &str, is_met: bool) {
        line(&format!("{what}: {seen} (target: {target}, {})", verdict(is_met)));
        self.rows.push(Row { what: what.to_owned(), seen, target: Some((target.to_owned(), is_met)) });
    }

    pub fn finish(&self) {
        let width = |of: fn(&Row) -> &str| self.rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0);
        let (what, seen) = (width(|row| &row.what), width(|row| &row.seen));
        line("");
        for row in &self.rows {
            let target = match &row.target {
                Some((target, is_met)) => format!("{} ({target})", verdict(*is_met)),
                None => String::new(),
            };
            line(format!("{:what$}  {:seen$}  {target}", row.what, row.seen).trim_end());
        }
        line(&format!("\nmeasured in {:.0} s", self.began.elapsed().as_secs_f64()));
        if self.is_quick {
            line("a quick run: it shows that everything works, its figures mean little");
        }
    }
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "target met" } else { "target MISSED" }
}

pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// The middle one; of an even number the mean of the two in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.len(), values.len() / 2) {
        (0, _) => f64::NAN,
        (length, middle) if length % 2 == 1 => values[middle],
        (_, middle) => f64::midpoint(values[middle - 1], values[middle]),
    }
}
