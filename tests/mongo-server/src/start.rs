//! Starting a server that several test programs share.
//!
//! A file under `target/` tells where it listens, guarded by a lock. Each program that uses it marks itself alive; a
//! small shell script ends the server a minute after the last mark.

use std::{
    env,
    fs::{self, File},
    io::Write,
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use mongodb::{Client, bson::doc};

use super::{Kind, Server};

const PACKAGE: &str = "secantusdb==0.7.0b3";
const PATIENCE: Duration = Duration::from_secs(60);
/// What a program that was killed has left open is let go of after so long; usually it is a minute.
const TRANSACTION_SECONDS: u32 = 10;
const MARK_EVERY: Duration = Duration::from_secs(5);
const NO_SERVER: &str = "these tests need a MongoDB server, and there is none. Set CONVIVE_TEST_MONGODB_URI to a replica \
set of your own (mongodb://127.0.0.1:27017/?replicaSet=rs0), or put mongod on PATH, or install python3 with its venv \
module (Debian: apt-get install python3-venv), with which scripts/test installs a stand-in";

/// Past the capture of test output.
pub(super) fn say(line: &str) {
    // Where nobody reads it, nothing is lost.
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |target| root.join(target));
    target.join("test-mongodb")
}

/// The server that runs already, or a new one.
pub(super) fn shared() -> Server {
    let folder = folder();
    fs::create_dir_all(&folder).expect("a folder under target");
    let alive = folder.join("alive");
    mark(&alive);
    let lock = File::create(folder.join("lock")).expect("a lock file");
    lock.lock().expect("the lock");
    let server = running(&folder).unwrap_or_else(|| {
        let server = start(&folder, &alive);
        let note = format!("{} {}", server.host(), if server.kind == Kind::Mongod { "mongod" } else { "stand-in" });
        fs::write(folder.join("server"), note).expect("a note of the server");
        server
    });
    drop(lock);
    thread::spawn(move || {
        loop {
            thread::sleep(MARK_EVERY);
            mark(&alive);
        }
    });
    server
}

fn mark(alive: &Path) {
    // Where it cannot be written, the server ends early and the next test says so.
    let _ = fs::write(alive, "");
}

fn running(folder: &Path) -> Option<Server> {
    let note = fs::read_to_string(folder.join("server")).ok()?;
    let (host, kind) = note.split_once(' ')?;
    let kind = if kind == "mongod" { Kind::Mongod } else { Kind::StandIn };
    let address: SocketAddr = host.parse().ok()?;
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
    Some(of(address, kind))
}

fn of(address: SocketAddr, kind: Kind) -> Server {
    // Names the member itself: what the server calls itself does not matter.
    Server { uri: format!("mongodb://{address}/?directConnection=true"), kind }
}

fn start(folder: &Path, alive: &Path) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("its number");
    drop(listener);
    let (kind, mut command) = command(folder, address.port());
    let log = File::create(folder.join("log")).expect("a log file");
    // $0 is the mark, the rest is the server.
    let script = "\"$@\" & server=$!
        trap 'kill $server' TERM INT
        while kill -0 $server 2>/dev/null && [ -n \"$(find \"$0\" -mmin -1 2>/dev/null)\" ]; do sleep 3; done
        kill $server; wait $server";
    let mut keeper = Command::new("sh");
    keeper.arg("-c").arg(script).arg(alive).append(&mut command);
    keeper.stdin(Stdio::null()).stdout(log.try_clone().expect("the log")).stderr(log);
    let mut keeper = keeper.spawn().expect("a shell");
    // It outlives this program by a minute; until then it is no zombie when it ends early.
    thread::spawn(move || keeper.wait());
    wait_until_ready(address, kind, folder);
    of(address, kind)
}

/// Words of a command.
trait Append {
    fn append(&mut self, words: &mut Vec<String>);
}

impl Append for Command {
    fn append(&mut self, words: &mut Vec<String>) {
        self.args(words.drain(..));
    }
}

fn command(folder: &Path, port: u16) -> (Kind, Vec<String>) {
    let port = port.to_string();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    if on_path("mongod") {
        let data = folder.join(format!("data-{port}"));
        fs::create_dir_all(&data).expect("a folder for data");
        let data = data.display().to_string();
        let command = words(&[
            "mongod",
            "--replSet",
            "rs0",
            "--bind_ip",
            "127.0.0.1",
            "--port",
            &port,
            "--dbpath",
            &data,
            "--setParameter",
            "enableTestCommands=1",
            "--setParameter",
            &format!("transactionLifetimeLimitSeconds={TRANSACTION_SECONDS}"),
            // The tests' days are over by the server's clock: what they write would expire under their hands.
            "--setParameter",
            "ttlMonitorEnabled=false",
        ]);
        return (Kind::Mongod, command);
    }
    let program = folder.join("venv/bin/secantusd-py");
    if !program.exists() {
        install(folder);
    }
    // The program itself takes no such settings.
    let launch = format!(
        "from secantus.cli import main; from secantus.server import SecantusDBServer as server; \
         server.__init__.__kwdefaults__.update(transaction_lifetime_seconds={TRANSACTION_SECONDS}.0, \
         ttl_sweep_seconds=1e6); main()"
    );
    let python = folder.join("venv/bin/python3").display().to_string();
    let command = words(&[
        &python,
        "-c",
        &launch,
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--storage-path",
        ":memory:",
        "--enable-test-commands",
        "--log-level",
        "WARNING",
    ]);
    (Kind::StandIn, command)
}

fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn install(folder: &Path) {
    say("MongoDB for tests: installing a stand-in with pip ...");
    let venv = folder.join("venv");
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(&venv);
    let mut fill = Command::new(venv.join("bin/pip"));
    fill.args(["install", "--quiet", PACKAGE]);
    for command in [&mut make, &mut fill] {
        let done = command.stdin(Stdio::null()).output();
        if !done.as_ref().is_ok_and(|output| output.status.success()) {
            panic!("{NO_SERVER}. ({command:?} failed: {done:?})");
        }
    }
}

fn wait_until_ready(address: SocketAddr, kind: Kind, folder: &Path) {
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err() {
        let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
        assert!(Instant::now() < deadline, "the MongoDB server for tests does not start: {log}");
        thread::sleep(Duration::from_millis(50));
    }
    if kind == Kind::Mongod {
        // A thread of its own: the caller may be within a runtime.
        thread::spawn(move || initiate(address)).join().expect("the replica set");
    }
}

fn initiate(address: SocketAddr) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let client =
            Client::with_uri_str(format!("mongodb://{address}/?directConnection=true")).await.expect("a client");
        let admin = client.database("admin");
        let set = doc! { "_id": "rs0", "members": [{ "_id": 0, "host": address.to_string() }] };
        admin.run_command(doc! { "replSetInitiate": set }).await.expect("a replica set");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let hello = admin.run_command(doc! { "hello": 1 }).await.expect("an answer");
            if hello.get_bool("isWritablePrimary").unwrap_or(false) {
                return;
            }
            assert!(Instant::now() < deadline, "the replica set has no primary");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
}
