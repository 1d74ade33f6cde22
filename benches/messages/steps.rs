//! Pure steps: what the rules alone do, in this process, on one core.

use std::{hint::black_box, time::Instant};

use domain::{
    conversation::{self, Context},
    message::Inbound,
    show, wording,
};

use crate::{
    Plan,
    guests::{self, SHAPES},
    machine, population,
    report::Report,
    script::Walk,
};

const TARGET: f64 = 100_000.0;
/// Walks of each shape, each taken apart into its steps.
const PARTIES: usize = 10 * SHAPES.len();
const ROUNDS: usize = 24;

pub fn measure(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let scenes = scenes()?;
    let bare = rate(&scenes, plan.steps_seconds, |(context, inbound)| {
        black_box(conversation::step(context, inbound, inbound.received_at));
    });
    report.target("pure steps, one core", format!("{bare:.0}/s"), "at least 100000/s", bare >= TARGET);
    let worded = rate(&scenes, plan.steps_seconds, |(context, inbound)| {
        let step = conversation::step(context, inbound, inbound.received_at);
        let language = wording::language(&step.locale);
        for message in &step.says {
            black_box(show::show(message, language, inbound.from.style()));
        }
    });
    report.row("pure steps, wording rendered", format!("{worded:.0}/s"));
    Ok(())
}

/// Every message of some rounds of some families, couples and singles, with what is known when it comes.
fn scenes() -> anyhow::Result<Vec<(Context, Inbound)>> {
    let now = population::now();
    let event = guests::event(now);
    let mut scenes = Vec::new();
    for party in guests::parties(PARTIES / SHAPES.len() * guests::RECORDS_A_ROUND, now) {
        let mut walk = Walk::begin(party, event.clone(), now)?;
        for _ in 0..ROUNDS {
            scenes.push(walk.next());
            walk.go_on();
        }
    }
    Ok(scenes)
}

fn rate(scenes: &[(Context, Inbound)], seconds: f64, mut work: impl FnMut(&(Context, Inbound))) -> f64 {
    // The first time also reads the wording.
    scenes.iter().for_each(&mut work);
    let began = Instant::now();
    let before = machine::own_processor_time(began);
    let mut done = 0_u32;
    loop {
        scenes.iter().for_each(&mut work);
        done += u32::try_from(scenes.len()).unwrap_or_default();
        // Seconds of this core for this thread: whatever else runs on the machine does not count.
        let used = machine::own_processor_time(began).saturating_sub(before).as_secs_f64();
        if used >= seconds {
            return f64::from(done) / used;
        }
    }
}
