//! Reads what test programs print: counts, and which tests were ignored and why.

use std::collections::BTreeMap;
use std::fmt;

/// The counts of one or more test programs, and the ignored tests by reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub passed: u64,
    pub failed: u64,
    pub ignored: u64,
    pub reasons: BTreeMap<String, Vec<String>>,
}

impl Summary {
    /// Takes one line of output.
    pub fn read(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            self.passed += count(counts, "passed");
            self.failed += count(counts, "failed");
            self.ignored += count(counts, "ignored");
        } else if let Some((name, reason)) = ignored(line) {
            self.reasons.entry(reason.to_owned()).or_default().push(name.to_owned());
        }
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        for (reason, names) in other.reasons {
            self.reasons.entry(reason).or_default().extend(names);
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.ignored)
    }
}

/// The number before a word.
fn count(counts: &str, word: &str) -> u64 {
    counts
        .split([';', '.'])
        .filter_map(|part| part.trim().strip_suffix(word))
        .find_map(|number| number.trim().parse().ok())
        .unwrap_or(0)
}

/// Name and reason in `test NAME ... ignored (REASON)` or `test NAME ... ignored, REASON`.
fn ignored(line: &str) -> Option<(&str, &str)> {
    let (name, outcome) = line.strip_prefix("test ")?.split_once(" ... ignored")?;
    let reason = outcome.trim_start_matches([',', ' ']);
    let reason = reason.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(reason);
    Some((name.trim(), if reason.is_empty() { "no reason given" } else { reason }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_reasons_are_read() {
        let mut summary = Summary::default();
        for line in [
            "running 3 tests",
            "test a layer           ... ignored (no GPU: none)",
            "test tests::other ... ignored, too slow",
            "test tests::fine ... ok",
            "test result: ok. 1 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "test result: FAILED. 10 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.50s",
        ] {
            summary.read(line);
        }
        assert_eq!(summary.to_string(), "11 passed, 3 failed, 2 skipped");
        assert_eq!(summary.reasons["no GPU: none"], ["a layer"]);
        assert_eq!(summary.reasons["too slow"], ["tests::other"]);
    }
}
