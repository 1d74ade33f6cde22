//! The `convive` program.

use std::{
    env,
    io::{stderr, stdout},
    process::ExitCode,
};

use convive::cli::{self, Streams};

fn main() -> ExitCode {
    let readable = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let variables = env::vars_os().map(|(name, value)| (readable(name), readable(value)));
    cli::run(env::args_os(), variables, &mut Streams { out: &mut stdout(), err: &mut stderr() })
}
