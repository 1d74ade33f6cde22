use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// A folder in which the program is used.
pub struct Home {
    folder: TempDir,
}

/// What a command said, and its exit code.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Home {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// A home with an event.
    pub fn with_event() -> Self {
        let home = Self::new();
        home.run(&[
            "event",
            "set",
            "name=Harbour Supper",
            "starts_at=2026-11-28T18:00",
            "time_zone=America/Chicago",
            "rsvp_deadline=2026-11-20",
            "phone_region=GB",
        ])
        .done();
        home
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn run(&self, args: &[&str]) -> Said {
        self.run_with(args, &[], "")
    }

    /// The same with environment variables and standard input.
    pub fn run_with(&self, args: &[&str], env: &[(&str, &str)], input: &str) -> Said {
        let mut child = Command::new(env!("CARGO_BIN_EXE_convive"))
            .args(args)
            .current_dir(self.folder.path())
            .env_clear()
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Commands that read nothing may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let here = self.folder.path().display().to_string();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&here, "HOME");
        Said { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Said {
    #[track_caller]
    pub fn done(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    #[track_caller]
    pub fn refused(self) -> Self {
        assert_eq!((self.code, self.out.as_str()), (1, ""), "{self:?}");
        self
    }

    #[track_caller]
    pub fn wrong_usage(self) -> Self {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{self:?}");
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
