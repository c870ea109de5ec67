//! The availability table: the first and the last release whose headers declare each name.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A release: four numbers for cuBLAS, three and a zero for the runtime.
pub type Version = [u16; 4];

/// First and, where newer headers dropped the name, last release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub since: Version,
    pub until: Option<Version>,
}

/// The names of one library and one kind, with their ranges.
#[derive(Default)]
pub struct Table {
    pub rows: BTreeMap<String, Range>,
}

impl Table {
    /// Adds what the headers of `release` declare; releases come oldest first, `previous` is the one before.
    pub fn add<'a>(
        &mut self,
        names: impl Iterator<Item = &'a str>,
        release: Version,
        previous: Option<Version>,
    ) {
        let names: std::collections::BTreeSet<&str> = names.collect();
        for name in &names {
            let range = self.rows.entry((*name).to_owned()).or_insert(Range { since: release, until: None });
            range.until = None;
        }
        for (name, range) in &mut self.rows {
            if range.until.is_none() && !names.contains(name.as_str()) {
                range.until = previous;
            }
        }
    }

    /// The version that first declared `name`.
    pub fn since(&self, name: &str) -> Result<Version, String> {
        self.rows
            .get(name)
            .map(|range| range.since)
            .ok_or_else(|| format!("{name} is not in the availability table"))
    }

    fn write(&self, out: &mut String, name: &str) {
        let _ = writeln!(out, "\npub(crate) static {name}: &[Row] = &[");
        for (name, Range { since, until }) in &self.rows {
            let until = until.map_or("None".to_owned(), |until| format!("Some({until:?})"));
            let _ = writeln!(out, "    row({name:?}, {since:?}, {until}),");
        }
        out.push_str("];\n");
    }
}

/// Every table, and the releases whose headers were read for them, oldest first.
#[derive(Default)]
pub struct Availability {
    pub cublaslt: Library,
    pub cudart: Library,
}

/// The tables of one library.
#[derive(Default)]
pub struct Library {
    pub releases: Vec<Version>,
    pub functions: Table,
    pub enumerators: Table,
}

impl Library {
    /// Adds a release, which must be newer than those read before; one that is known changes nothing.
    pub fn add<'a>(
        &mut self,
        release: Version,
        functions: impl Iterator<Item = &'a str>,
        enumerators: impl Iterator<Item = &'a str>,
    ) -> Result<(), String> {
        let previous = self.releases.last().copied();
        if self.releases.contains(&release) {
            return Ok(());
        }
        if previous.is_some_and(|previous| previous > release) {
            return Err(format!(
                "{release:?} is older than {previous:?}, which the table holds already; rebuild it with: \
                 cargo xtask regen-bindings --all"
            ));
        }
        self.functions.add(functions, release, previous);
        self.enumerators.add(enumerators, release, previous);
        self.releases.push(release);
        Ok(())
    }

    fn write(&self, out: &mut String, prefix: &str) {
        let _ = writeln!(out, "\npub(crate) static {prefix}_RELEASES: &[[u16; 4]] = &[");
        for release in &self.releases {
            let _ = writeln!(out, "    {release:?},");
        }
        out.push_str("];\n");
        self.functions.write(out, &format!("{prefix}_FUNCTIONS"));
        self.enumerators.write(out, &format!("{prefix}_ENUMERATORS"));
    }
}

impl Availability {
    /// The text of `bindings/availability.rs`.
    pub fn write(&self) -> String {
        let mut out = String::from("use crate::availability::{Row, row};\n");
        self.cublaslt.write(&mut out, "CUBLASLT");
        self.cudart.write(&mut out, "CUDART");
        out
    }

    /// Reads what [`Availability::write`] wrote.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut availability = Self::default();
        let mut table = String::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("pub(crate) static ") {
                rest.split(':').next().unwrap_or_default().clone_into(&mut table);
                continue;
            }
            let Some((library, kind)) = table.split_once('_') else { continue };
            let library = match library {
                "CUBLASLT" => &mut availability.cublaslt,
                _ => &mut availability.cudart,
            };
            let line = line.trim();
            if let Some(row) = line.strip_prefix("row(\"") {
                let (name, versions) =
                    row.split_once('"').ok_or_else(|| format!("unreadable row: {line}"))?;
                let mut versions = numbers(versions).into_iter();
                let since = versions.next().ok_or_else(|| format!("row without a version: {line}"))?;
                let range = Range { since, until: versions.next() };
                let table =
                    if kind == "FUNCTIONS" { &mut library.functions } else { &mut library.enumerators };
                table.rows.insert(name.to_owned(), range);
            } else if line.starts_with('[') && kind == "RELEASES" {
                library.releases.extend(numbers(line));
            }
        }
        Ok(availability)
    }
}

/// Every `[a, b, c, d]` in a line.
fn numbers(line: &str) -> Vec<Version> {
    line.split('[')
        .filter_map(|part| part.split_once(']'))
        .filter_map(|(inner, _)| {
            let numbers: Vec<u16> =
                inner.split(',').filter_map(|number| number.trim().parse().ok()).collect();
            numbers.try_into().ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: Version = [12, 9, 3, 13];
    const NEW: Version = [13, 0, 0, 19];

    fn two_releases() -> Availability {
        let mut availability = Availability::default();
        let library = &mut availability.cublaslt;
        library.add(OLD, ["kept", "dropped"].into_iter(), ["A"].into_iter()).unwrap();
        library.add(NEW, ["kept", "added"].into_iter(), ["A", "B"].into_iter()).unwrap();
        availability
    }

    #[test]
    fn ranges_follow_the_headers() {
        let rows = two_releases().cublaslt.functions.rows;
        assert_eq!(rows["kept"], Range { since: OLD, until: None });
        assert_eq!(rows["dropped"], Range { since: OLD, until: Some(OLD) });
        assert_eq!(rows["added"], Range { since: NEW, until: None });
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = two_releases().write();
        assert_eq!(Availability::parse(&text).unwrap().write(), text);
    }

    #[test]
    fn an_older_release_needs_a_rebuild() {
        let error = two_releases().cublaslt.add([12, 0, 0, 0], [].into_iter(), [].into_iter()).unwrap_err();
        assert!(error.contains("--all"), "{error}");
    }
}
