//! Why a command failed, and its exit code.

use std::{fmt, io};

use app::HostError;
use store::StoreError;

use crate::settings::SettingsErrors;

/// Exit code of a command that was refused or failed.
pub(super) const FAILED: u8 = 1;
/// Exit code of wrong usage or settings.
pub(super) const WRONG_USAGE: u8 = 2;

pub(super) const FIRST_EVENT: &str = "Create one first, for example: convive event set name=\"Harbour Supper\" \
                           starts_at=2027-06-19T18:00 time_zone=Europe/London";

/// Why a command failed.
#[derive(Debug)]
pub enum CliError {
    /// Exit code 2.
    Usage(String),
    /// Exit code 2.
    Settings(SettingsErrors),
    /// Exit code 1.
    Failed(anyhow::Error),
}

impl CliError {
    /// What the program ends with.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Settings(_) => WRONG_USAGE,
            Self::Failed(_) => FAILED,
        }
    }

    /// The program cannot be put together as the settings say.
    pub(super) fn of_settings(error: anyhow::Error) -> Self {
        Self::Usage(format!("{error:#}"))
    }

    pub(super) fn is_broken_pipe(&self) -> bool {
        let Self::Failed(error) = self else { return false };
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => f.write_str(message),
            Self::Settings(errors) => errors.fmt(f),
            Self::Failed(error) => write!(f, "{error:#}"),
        }
    }
}

impl From<anyhow::Error> for CliError {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<SettingsErrors> for CliError {
    fn from(errors: SettingsErrors) -> Self {
        Self::Settings(errors)
    }
}

/// A store that cannot be used as it is configured is a matter of settings.
impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unusable(message) => Self::Usage(message),
            error => Self::Failed(error.into()),
        }
    }
}

impl From<HostError> for CliError {
    fn from(error: HostError) -> Self {
        match error {
            HostError::Store(error) => error.into(),
            HostError::SeveralEvents(_) => Self::Usage(format!("{error}; say which with --event ID")),
            HostError::NoEvent => Self::Failed(anyhow::anyhow!("{error}. {FIRST_EVENT}")),
            error => Self::Failed(error.into()),
        }
    }
}
