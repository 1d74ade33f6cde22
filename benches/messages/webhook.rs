//! Messages through the webhook: how many a second, beside a server that does nothing, with few and many guests
//! stored; and the memory that it takes.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use domain::address::Channel;
use fakes::telegram::FakeTelegram;
use store::{Store as _, sqlite::SqliteStore};
use tempfile::TempDir;

use crate::{
    Plan,
    load::{Outcome, People},
    machine,
    population::{self, Chat},
    report::{Report, line, median, millis},
    script::Script,
    server::{Server, Work},
};

const LEAST_RATIO: f64 = 0.1;
const MOST_COST: f64 = 1.3;
const MOST_MEMORY: f64 = 64.0;
/// The courier keeps up when what waits at the end of the load is delivered within this time.
const MOST_DRAIN: Duration = Duration::from_secs(1);
/// Messages that are not delivered by then will never be.
const PATIENCE: Duration = Duration::from_secs(30);
const MIB: f64 = 1024.0 * 1024.0;

/// A store that was filled once, and the chats in it.
struct Filled {
    path: PathBuf,
    chats: Vec<Chat>,
}

/// What the measurements share.
pub struct Bench {
    plan: Plan,
    folder: TempDir,
    runtime: tokio::runtime::Runtime,
    telegram: FakeTelegram,
    script: Arc<Script>,
    few: Filled,
    many: Filled,
}

/// A load on a server with work, and what became of the replies.
struct Delivered {
    load: Outcome,
    /// Processor time of the server for each message, in microseconds, delivery included.
    processor_micros: f64,
    /// Replies that the fake Telegram had not got when the last message was answered.
    backlog: u64,
    /// Until it had got them.
    drained: Duration,
    /// Questions that a newer one of the same chat replaced before they went.
    replaced: u64,
}

impl Bench {
    pub fn prepare(plan: &Plan) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("stores-").tempdir_in(machine::scratch()?)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let telegram = runtime.block_on(FakeTelegram::start_sink())?;
        let now = population::now();
        let script = Arc::new(population::script(now)?);
        let fill = |records: usize| -> anyhow::Result<Filled> {
            let path = folder.path().join(format!("{records}.db"));
            let chats = runtime.block_on(population::fill(&path, records, &script, now))?;
            Ok(Filled { path, chats })
        };
        let (few, many) = (fill(Plan::FEW)?, fill(plan.many)?);
        Ok(Self { plan: *plan, folder, telegram, script, few, many, runtime })
    }

    /// Beside the same server doing nothing.
    pub fn throughput(&mut self, report: &mut Report) -> anyhow::Result<()> {
        let (mut with_work, mut without, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        let mut worst_drain = Duration::ZERO;
        for pair in 1..=self.plan.ratio_pairs {
            let empty = self.without_work()?;
            let done = self.with_work(&self.many, self.plan.messages)?;
            describe(&format!("pair {pair}, {:.0}/s without work", empty.rate()), &done);
            worst_drain = worst_drain.max(done.drained);
            ratios.push(done.load.rate() / empty.rate());
            with_work.push(done.load.rate());
            without.push(empty.rate());
        }
        let ratio = median(ratios);
        report.row("webhook, a server that does nothing", format!("{:.0}/s", median(without)));
        report.row("webhook, durable, delivering", format!("{:.0}/s", median(with_work)));
        report.target("  ratio of the two", format!("{ratio:.3}"), "at least 0.1", ratio >= LEAST_RATIO);
        let drain = format!("{:.0} ms", millis(worst_drain));
        report.target("  delivered after the last answer", drain, "within 1 s", worst_drain <= MOST_DRAIN);
        Ok(())
    }

    pub fn few_and_many_guests(&mut self, report: &mut Report) -> anyhow::Result<()> {
        let (mut few, mut many, mut costs, mut processor_costs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for pair in 1..=self.plan.store_pairs {
            let with_few = self.with_work(&self.few, self.plan.messages)?;
            describe(&format!("pair {pair}, few guests"), &with_few);
            let with_many = self.with_work(&self.many, self.plan.messages)?;
            describe(&format!("pair {pair}, many guests"), &with_many);
            costs.push(with_few.load.rate() / with_many.load.rate());
            processor_costs.push(with_many.processor_micros / with_few.processor_micros);
            few.push(with_few.load.rate());
            many.push(with_many.load.rate());
        }
        let cost = median(costs);
        report.row(&format!("webhook, {} guests stored", Plan::FEW), format!("{:.0}/s", median(few)));
        report.row(&format!("webhook, {} guests stored", self.plan.many), format!("{:.0}/s", median(many)));
        report.target(
            "  cost of a message with many guests",
            format!("{cost:.2} times"),
            "at most 1.3",
            cost <= MOST_COST,
        );
        report.row("  the same in processor time", format!("{:.2} times", median(processor_costs)));
        Ok(())
    }

    pub fn memory(&mut self, report: &mut Report) -> anyhow::Result<()> {
        let (server, mut people) = self.start(&self.many)?;
        let before = server.resident()?;
        let load = people.speak("messages until the memory is read", server.address, self.plan.memory_messages)?;
        let after = server.resident()?;
        server.stop()?;
        report.row("memory at the start", format!("{:.1} MiB", before as f64 / MIB));
        let what = format!("memory after {} messages", load.messages);
        let mib = after as f64 / MIB;
        report.target(&what, format!("{mib:.1} MiB"), "at most 64 MiB", mib <= MOST_MEMORY);
        Ok(())
    }

    fn start(&self, filled: &Filled) -> anyhow::Result<(Server, People)> {
        let path = self.folder.path().join("measured.db");
        copy(&filled.path, &path)?;
        let server = Server::start(Work::All, &path, &self.telegram.api_url())?;
        Ok((server, People::new(&self.script, filled.chats.clone())))
    }

    fn without_work(&self) -> anyhow::Result<Outcome> {
        let path = self.folder.path().join("idle.db");
        let server = Server::start(Work::None, &path, &self.telegram.api_url())?;
        let mut people = People::new(&self.script, self.many.chats.clone());
        people.speak("warming up", server.address, self.plan.warm_up)?;
        let outcome = people.speak("messages without work", server.address, self.plan.empty_messages)?;
        server.stop()?;
        Ok(outcome)
    }

    fn with_work(&self, filled: &Filled, messages: u64) -> anyhow::Result<Delivered> {
        let (server, mut people) = self.start(filled)?;
        let sent_before = self.sent();
        let store = SqliteStore::open(&self.folder.path().join("measured.db"))?;
        let warm_up = people.speak("warming up", server.address, self.plan.warm_up)?;
        self.wait_until_delivered(&store)?;
        let (processor_before, warm) = (server.processor_time()?, self.sent());
        let load = people.speak("messages", server.address, messages)?;
        let (ended, sent_at_the_end) = (Instant::now(), self.sent());
        self.wait_until_delivered(&store)?;
        let (drained, sent) = (ended.elapsed(), self.sent());
        let processor = server.processor_time()? - processor_before;
        let counts = self.runtime.block_on(store.outbox_counts())?;
        let expected = warm_up.replies + load.replies;
        ensure!(
            counts.sent == sent - sent_before
                && counts.sent + counts.dropped == expected
                && counts.failed + counts.unknown == 0,
            "{expected} replies were to be sent, Telegram got {}, the store says {counts:?}",
            sent - sent_before,
        );
        server.stop()?;
        ensure!(sent_at_the_end > warm, "nothing was delivered during the load");
        Ok(Delivered {
            processor_micros: processor * 1e6 / messages as f64,
            backlog: sent - sent_at_the_end,
            drained,
            replaced: counts.dropped,
            load,
        })
    }

    /// Messages that the fake Telegram got.
    fn sent(&self) -> u64 {
        self.telegram.calls("sendMessage") + self.telegram.calls("sendDocument")
    }

    fn wait_until_delivered(&self, store: &SqliteStore) -> anyhow::Result<()> {
        let began = Instant::now();
        while self.runtime.block_on(store.next_due(&[Channel::Telegram]))?.is_some() {
            ensure!(began.elapsed() < PATIENCE, "replies are not delivered after {} s", PATIENCE.as_secs());
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }
}

fn describe(what: &str, done: &Delivered) {
    line(&format!(
        "  {what}: {:.0}/s, {:.0} µs of processor each, answered in {:.1} ms ({:.1} ms for the slowest of a hundred), \
         backlog {} gone after {:.0} ms, {} questions replaced",
        done.load.rate(),
        done.processor_micros,
        millis(done.load.median_latency),
        millis(done.load.p99_latency),
        done.backlog,
        millis(done.drained),
        done.replaced,
    ));
}

/// A fresh copy of a closed store.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for ending in ["-wal", "-shm"] {
        let mut leftover = to.as_os_str().to_owned();
        leftover.push(ending);
        if Path::new(&leftover).exists() {
            fs::remove_file(&leftover)?;
        }
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}
