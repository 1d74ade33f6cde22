//! Files that commands write.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, fchown},
    path::{Path, PathBuf},
};

/// Guests' names, codes and phone numbers are nobody else's business.
const OWNER_ONLY: u32 = 0o600;
/// More links than the system itself would follow.
const MOST_LINKS: usize = 40;

/// Writes a file as a whole: what was there stays until the new one is complete, so that a full disk does not cost it.
/// Links stay links, and an existing file keeps its mode and owner; a new one is readable by its owner only. What is no
/// regular file (a pipe, a device) is written to.
///
/// # Errors
/// When it cannot be opened or written.
pub(super) fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let file = match OpenOptions::new().write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let path = end_of_links(path);
            let beside = Beside::create(&path, None)?;
            return beside.fill(&path, write);
        }
        Err(error) => return Err(error),
    };
    let before = file.metadata()?;
    if !before.is_file() || is_held_open(path) {
        return fill(&file, write);
    }
    let path = fs::canonicalize(path)?;
    match Beside::create(&path, Some(&before)) {
        Ok(beside) => beside.fill(&path, write),
        // Whoever may write the file need not be able to make another that is its like.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            file.set_len(0)?;
            fill(&file, write)?;
            file.sync_all()
        }
        Err(error) => Err(error),
    }
}

/// Whether the path names a file that somebody holds open, such as our own output (`/dev/stdout`): replaced, it would go
/// on holding the old one.
fn is_held_open(path: &Path) -> bool {
    path.starts_with("/proc") || (path.starts_with("/dev") && !path.starts_with("/dev/shm"))
}

fn fill(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

/// Where a link that leads nowhere yet wants its file.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    path
}

/// A file that becomes the one beside it once it is complete; until then it goes when it is dropped.
struct Beside {
    path: PathBuf,
    file: File,
}

impl Beside {
    /// With mode and owner of `like`.
    fn create(path: &Path, like: Option<&fs::Metadata>) -> io::Result<Self> {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let path = PathBuf::from(name);
        // What a program of the same number left behind when it was killed.
        let _ = fs::remove_file(&path);
        let file = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(&path)?;
        let beside = Self { path, file };
        if let Some(like) = like {
            let own = beside.file.metadata()?;
            if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
                fchown(&beside.file, Some(like.uid()), Some(like.gid()))?;
            }
            beside.file.set_permissions(like.permissions())?;
        }
        Ok(beside)
    }

    fn fill(self, path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        fill(&self.file, write)?;
        self.file.sync_all()?;
        fs::rename(&self.path, path)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Gone already when all went well; what went wrong otherwise is known.
        let _ = fs::remove_file(&self.path);
    }
}
