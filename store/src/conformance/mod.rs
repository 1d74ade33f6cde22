//! What every store must do, as functions over `&dyn Store`, each to be run on an empty one.
//!
//! A store's test file runs all of them with [`conformance_tests!`](crate::conformance_tests).
#![expect(clippy::unwrap_used, reason = "the suite is test code that other crates run")]

mod builders;
pub mod claims;
pub mod commits;
pub mod erasing;
pub mod guest_list;
pub mod hosts;
pub mod housekeeping;
pub mod initiated;
pub mod loads;
pub mod reports;
pub mod settling;

/// Makes a test of every function of the suite. `$open` is an async function that returns an empty store and
/// something that keeps it alive (a temporary folder, or `()`).
///
/// ```ignore
/// async fn open() -> (SqliteStore, TempDir) { ... }
/// store::conformance_tests!(open);
/// ```
#[macro_export]
macro_rules! conformance_tests {
    ($open:ident) => {
        $crate::conformance_tests! { $open:
            claims {
                replies_to_an_address_go_one_at_a_time_and_in_order
                places_in_a_commit_order_its_replies
                addresses_do_not_wait_for_one_another
                a_retried_reply_holds_back_only_its_own_address
                claims_keep_to_their_limits_and_channels
                the_longest_due_go_first
                a_claimed_reply_counts_an_attempt
                an_ended_lease_is_due_again_and_in_doubt
                a_lease_is_not_taken_over_before_its_end
                two_couriers_never_claim_the_same
                a_hold_stops_its_address_only
                a_second_hold_stops_initiated_messages_of_the_channel
                an_ended_hold_stops_nothing
                the_next_due_time_counts_leases_and_holds
                the_next_due_time_counts_a_channels_hold
            }
            commits {
                a_commit_is_written_whole
                a_key_commits_once
                a_key_commits_once_at_the_same_time
                what_happens_once_is_committed_once
                a_job_gets_on_from_where_it_was
                a_new_conversation_rests_on_version_zero
                a_changed_conversation_makes_a_commit_stale
                of_two_commits_at_once_one_is_stale
                a_changed_group_makes_a_commit_stale
                a_group_is_raised_only_where_asked
                a_group_keeps_its_version_without_members
                a_changed_guest_makes_a_commit_stale
                a_changed_event_makes_a_commit_stale
                codes_are_unique
                a_deleted_guest_gives_the_code_back
                ids_of_guests_events_and_entries_are_unique
                a_refused_commit_writes_nothing
                an_update_leaves_logins_and_accesses_alone
                an_update_moves_a_guest_between_groups
                a_newer_question_replaces_one_that_only_asks
                a_question_that_tells_something_is_not_replaced
                a_question_that_may_have_arrived_is_not_replaced
                opting_out_drops_what_waits
                opting_out_ends_the_attempts_of_what_is_on_its_way
            }
            erasing {
                an_unknown_guest_is_not_erased
                an_erased_guest_is_nowhere
                erasing_keeps_what_others_said
                erasing_ends_what_was_being_said_about_the_person
                erasing_begins_an_open_answer_anew
                erasing_takes_the_name_out_of_other_records
            }
            guest_list {
                guests_are_filtered
                guests_are_searched_as_people_type_names
                a_new_name_and_a_new_code_are_found
                guests_are_sorted_either_way
                a_page_of_the_list_tells_how_many_there_are
                guests_whom_nothing_reaches_are_found
                an_event_is_told_in_numbers
            }
            hosts {
                events_are_listed_by_id
                guests_are_paged_by_creation
                a_page_goes_on_after_a_deleted_guest
                groups_come_with_members_and_version
                a_guest_comes_with_group_and_event
                codes_find_their_guest
                hosts_are_found
                activity_is_listed_from_a_time_on
                accesses_never_move_backwards
                links_follow_logins
                links_of_hosts_are_those_of_the_events_hosts
                a_deleted_guest_has_no_links
                links_tell_how_an_address_may_be_used
                addresses_tell_how_they_may_be_used
            }
            housekeeping {
                a_ready_store_says_so
                old_keys_and_entries_expire
                open_entries_never_expire
                entries_are_counted_by_how_their_ids_begin
                counts_of_failures_expire
                an_answered_question_outlives_its_entry
                forgetting_an_event_deletes_what_only_served_it
                forgetting_an_event_keeps_opt_outs
            }
            initiated {
                replies_go_before_initiated_messages
                initiated_messages_do_not_wait_for_a_reply_that_is_due_later
                initiated_messages_go_in_the_order_of_their_decision
                what_waits_for_its_window_holds_nothing_back
                what_is_retried_holds_back_what_was_decided_later
                one_entry_of_an_address_is_in_flight
                an_initiated_message_is_leased_without_an_attempt
                a_lease_without_an_attempt_ends_without_a_doubt
                a_first_attempt_keeps_the_words
                a_first_attempt_opens_its_question
                a_first_attempt_needs_the_lease
                a_first_attempt_needs_the_conversation_as_it_was
            }
            loads {
                a_stranger_is_new
                a_conversation_comes_back_as_it_was
                logins_come_in_order_without_deleted_guests
                the_active_guest_brings_the_group
                a_guest_without_a_group_stands_alone
                a_deleted_active_guest_brings_no_group
                codes_are_looked_up_exactly_then_by_key
                the_other_logins_bring_their_groups
                an_awaited_code_is_looked_up_too
                links_that_are_brought_along_are_all_there_are
                hosts_that_are_brought_along_are_all_there_are
                candidates_bring_their_group_and_event
                failures_are_counted_from_a_time_on
                failures_are_counted_up_to_a_limit
                an_open_question_knows_its_first_attempt
                a_question_asked_again_keeps_its_first_attempt
                a_question_dropped_untried_is_tried_when_asked_again
                an_attempt_at_an_older_question_counts_for_nothing
                an_attempt_does_not_raise_the_conversation
            }
            reports {
                a_report_is_kept_with_its_message
                a_later_word_of_lower_rank_changes_nothing
                a_final_word_stays
                an_early_report_waits_for_its_message
                an_early_report_expires
                an_opt_out_is_marked_once
                an_opt_out_drops_what_waits
                known_provider_ids_are_told_apart
            }
            settling {
                a_sent_entry_is_finished
                a_retried_entry_waits
                a_doubt_is_remembered
                a_certain_failure_ends_the_doubt
                a_postponed_reply_counts_no_attempt
                a_postponed_doubt_stays
                finished_entries_say_why
                only_the_holder_of_the_lease_settles
                an_entry_is_settled_once
                an_unreachable_address_is_marked
                an_opt_out_is_marked_and_drops_what_waits
                a_moved_chat_takes_everything_along
                a_moved_question_stays_tried
                a_moved_chat_joins_the_one_that_is_there
                entries_are_counted_and_listed
                entries_are_paged
                entries_are_listed_by_how_their_ids_begin
                initiated_messages_of_late_are_found
                entries_to_an_address_are_in_order
            }
        }
    };
    ($open:ident: $($topic:ident { $($name:ident)+ })+) => {
        $(mod $topic {
            $(#[tokio::test]
            async fn $name() {
                let (store, _kept) = super::$open().await;
                $crate::conformance::$topic::$name(&store).await;
            })+
        })+

        #[test]
        fn every_function_of_the_suite_is_run() {
            $crate::conformance::assert_complete(&[$(stringify!($topic), $(stringify!($name),)+)+]);
        }
    };
}

/// The suite's own text: what is written here must be run.
const SOURCES: &[&str] = &[
    include_str!("claims.rs"),
    include_str!("commits.rs"),
    include_str!("erasing.rs"),
    include_str!("guest_list.rs"),
    include_str!("hosts.rs"),
    include_str!("housekeeping.rs"),
    include_str!("initiated.rs"),
    include_str!("loads.rs"),
    include_str!("reports.rs"),
    include_str!("settling.rs"),
];

/// Fails when the list of [`conformance_tests!`](crate::conformance_tests) leaves out a function.
pub fn assert_complete(listed: &[&str]) {
    let written = SOURCES.iter().flat_map(|source| source.lines()).filter_map(|line| {
        let name = line.strip_prefix("pub async fn ")?;
        name.split_once('(').map(|(name, _)| name)
    });
    let forgotten: Vec<&str> = written.filter(|name| !listed.contains(name)).collect();
    assert!(forgotten.is_empty(), "add to conformance_tests!: {forgotten:?}");
}
