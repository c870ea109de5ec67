//! Which executables cargo built, from its messages.

use std::path::PathBuf;
use std::process::Command;

use crate::command::output;

/// An executable that cargo built.
pub struct Executable {
    /// Name of the target.
    pub name: String,
    pub path: PathBuf,
}

/// Runs a build of cargo's and lists the executables.
pub fn build(cargo: &mut Command) -> Result<Vec<Executable>, String> {
    let messages = output(cargo.arg("--message-format=json-render-diagnostics"))?;
    Ok(messages.lines().filter_map(executable).collect())
}

/// The executable that a line of the messages tells of.
fn executable(line: &str) -> Option<Executable> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    let path = message["executable"].as_str()?;
    let name = message["target"]["name"].as_str()?.to_owned();
    Some(Executable { name, path: path.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_read_from_cargos_messages() {
        let line = r#"{"reason":"compiler-artifact","target":{"name":"linear"},"executable":"/t/linear-1"}"#;
        let found = executable(line).unwrap();
        assert_eq!((found.name.as_str(), found.path), ("linear", PathBuf::from("/t/linear-1")));
        assert!(executable(r#"{"target":{"name":"lib"},"executable":null}"#).is_none());
        assert!(executable("not json").is_none());
    }
}
