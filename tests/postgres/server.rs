//! A private PostgreSQL server in a folder of its own, reached by a socket in that folder alone.

use std::fs;
use std::io;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use postgres::{Client, NoTls};

pub struct Server {
    bin: PathBuf,
    folder: PathBuf,
    user: Option<User>,
    process: Child,
}

/// Whom the server runs as where this test runs as root, which the server refuses.
#[derive(Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

impl Server {
    /// Starts a server; or says why there is none here.
    pub fn start() -> Result<Server, String> {
        let bin = find_bin().ok_or("PostgreSQL is not installed: found no initdb")?;
        let folder = std::env::temp_dir().join(format!("postgres-{}", std::process::id()));
        let user = unprivileged()?;
        let said = |error: io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(said)?;
        if let Some(User { uid, gid }) = user {
            chown(&folder, Some(uid), Some(gid)).map_err(said)?;
        }
        let data = folder.join("data");
        let made = command(&bin, "initdb", user, &folder)
            .args(["--auth=trust", "--username=tester", "--no-sync", "--pgdata"])
            .arg(&data)
            .stdout(Stdio::null())
            .output()
            .map_err(said)?;
        if !made.status.success() {
            let why = String::from_utf8_lossy(&made.stderr);
            return Err(format!("initdb failed: {why}"));
        }
        let process = command(&bin, "postgres", user, &folder)
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(&folder)
            // Nobody else can reach it, nothing of it is kept, and deadlocks are found soon.
            .args(["-c", "listen_addresses=", "-c", "fsync=off"])
            .args(["-c", "deadlock_timeout=1ms"])
            .stderr(Stdio::null())
            .spawn()
            .map_err(said)?;
        let server = Server {
            bin,
            folder,
            user,
            process,
        };
        server.wait()?;
        Ok(server)
    }

    fn wait(&self) -> Result<(), String> {
        let mut last = String::new();
        for _ in 0..300 {
            match self.try_connect() {
                Ok(_) => return Ok(()),
                Err(error) => last = error.to_string(),
            }
            sleep(Duration::from_millis(100));
        }
        Err(format!("the server does not answer: {last}"))
    }

    fn try_connect(&self) -> Result<Client, postgres::Error> {
        let mut config = postgres::Config::new();
        config.host_path(&self.folder).user("tester");
        config.dbname("postgres").connect(NoTls)
    }

    pub fn connect(&self) -> Client {
        self.try_connect().expect("a connection to the server")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let stopped = command(&self.bin, "pg_ctl", self.user, &self.folder)
            .args(["stop", "--silent", "--mode=immediate", "--pgdata"])
            .arg(self.folder.join("data"))
            .status();
        if !stopped.is_ok_and(|status| status.success()) {
            self.process.kill().ok();
        }
        self.process.wait().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn command(bin: &Path, name: &str, user: Option<User>, folder: &Path) -> Command {
    let mut command = Command::new(bin.join(name));
    command.current_dir(folder);
    if let Some(User { uid, gid }) = user {
        command.uid(uid).gid(gid);
    }
    command
}

/// The folder of the server's programs: Debian does not put them in PATH.
fn find_bin() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    folders.extend(versions.flatten().map(|version| version.path().join("bin")));
    folders
        .into_iter()
        .find(|folder| folder.join("initdb").is_file())
}

/// An unprivileged user, where this process is root.
fn unprivileged() -> Result<Option<User>, String> {
    let own = fs::metadata("/proc/self").map_err(|error| format!("/proc/self: {error}"))?;
    if std::os::unix::fs::MetadataExt::uid(&own) != 0 {
        return Ok(None);
    }
    let users =
        fs::read_to_string("/etc/passwd").map_err(|error| format!("/etc/passwd: {error}"))?;
    let found = ["postgres", "nobody"].iter().find_map(|name| {
        let line = users
            .lines()
            .find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some(User {
            uid: fields.next()?.parse().ok()?,
            gid: fields.next()?.parse().ok()?,
        })
    });
    found
        .map(Some)
        .ok_or_else(|| "no unprivileged user for the server".into())
}
