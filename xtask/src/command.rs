//! Running other programs, and the folders they work in.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().map(PathBuf::from).unwrap_or(xtask)
}

/// The folder that holds a folder for each cuBLAS release. It lies below `target`, also where cargo's lies elsewhere.
pub fn cuda_folder() -> PathBuf {
    root().join("target").join("cuda")
}

/// Cargo, in the root of the repository.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

/// Runs a program that prints for itself; failing is an error that says what was run.
pub fn check(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| could_not_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", line(command))) }
}

/// Runs a program and returns what it printed; its errors go to the terminal.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| could_not_start(command, &error))?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", line(command), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn could_not_start(command: &Command, error: &std::io::Error) -> String {
    format!("{} could not be started: {error}", command.get_program().to_string_lossy())
}

/// The command as one line.
fn line(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}

/// `python3 -m pip`, after holding that both are there.
pub fn pip() -> Result<Command, String> {
    let mut probe = Command::new("python3");
    let found = probe.args(["-m", "pip", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match found {
        Err(error) => Err(format!(
            "python3 is needed and could not be started ({error}); on Debian: apt-get install python3 python3-pip"
        )),
        Ok(status) if !status.success() => {
            Err("python3 is there, but not its pip; on Debian: apt-get install python3-pip".into())
        }
        Ok(_) => {
            let mut command = Command::new("python3");
            command.args(["-m", "pip", "--disable-pip-version-check"]);
            Ok(command)
        }
    }
}
