//! Counters for whoever keeps the program running, in Prometheus' text format.

use std::sync::Arc;

use anyhow::Context as _;
use app::SERVED_CHANNELS;
use metrics::{counter, describe_counter};
use metrics_exporter_prometheus::PrometheusBuilder;

/// Gives everything that was counted so far as text.
pub type Counters = Arc<dyn Fn() -> String + Send + Sync>;

/// Counts from now on. Only once in a process.
///
/// # Errors
/// When something counts already.
pub fn install() -> anyhow::Result<Counters> {
    let handle = PrometheusBuilder::new().install_recorder().context("metrics")?;
    describe();
    begin_at_zero();
    Ok(Arc::new(move || handle.render()))
}

fn describe() {
    describe_counter!("convive_messages_taken_in_total", "Messages from people, by channel and what became of them");
    describe_counter!("convive_messages_total", "Attempts to deliver messages, by channel and how they ended");
    describe_counter!("convive_store_errors_total", "What the store could not do, by kind and what it was asked for");
    describe_counter!("convive_store_damaged_total", "Looks at stored records that cannot be read");
    describe_counter!("convive_store_retries_total", "Transactions that had to be tried again");
    describe_counter!("convive_telegram_updates_total", "Updates from Telegram, refused and ignored ones included");
    describe_counter!("convive_telegram_acknowledgements_total", "Presses of buttons acknowledged to Telegram");
    describe_counter!("convive_sms_webhooks_total", "Calls by the SMS provider, refused ones included");
}

/// A counter that is missing until something happens cannot be watched, and its first rise not be seen.
fn begin_at_zero() {
    for channel in SERVED_CHANNELS {
        for outcome in ["done", "repeat", "contention", "failed"] {
            counter!("convive_messages_taken_in_total", "channel" => channel.as_str(), "outcome" => outcome)
                .increment(0);
        }
        for outcome in ["sent", "retry", "in_doubt", "failed", "unknown", "unreachable"] {
            counter!("convive_messages_total", "channel" => channel.as_str(), "outcome" => outcome).increment(0);
        }
    }
    for during in ["taking in", "delivery", "readiness", "api"] {
        counter!("convive_store_errors_total", "kind" => "unavailable", "during" => during).increment(0);
    }
    counter!("convive_store_damaged_total").increment(0);
}
