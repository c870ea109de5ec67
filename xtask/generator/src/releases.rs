//! The releases whose headers can be read: their versions and where the headers lie.

use std::path::{Path, PathBuf};

use crate::availability::Version;

/// A cuBLAS release with the runtime that goes with it.
pub struct Release {
    pub name: String,
    pub cublas: Version,
    pub cudart: Version,
    pub include: PathBuf,
}

/// Every release that `pins` lists, oldest first. Each file there is named by its cuBLAS version and pins the packages.
pub fn list(pins: &Path, cuda: &Path) -> Result<Vec<Release>, String> {
    let entries = std::fs::read_dir(pins).map_err(|error| format!("{}: {error}", pins.display()))?;
    let mut releases = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", pins.display()))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".txt")) else {
            continue;
        };
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let runtime = text
            .lines()
            .filter(|line| line.starts_with("nvidia-cuda-runtime"))
            .find_map(|line| line.split_once("==")?.1.split([' ', '\\']).next())
            .ok_or_else(|| format!("{} pins no nvidia-cuda-runtime", path.display()))?;
        releases.push(Release {
            name: name.to_owned(),
            cublas: version(name)?,
            cudart: version(runtime)?,
            include: cuda.join(name).join("include"),
        });
    }
    releases.sort_by_key(|release| release.cublas);
    Ok(releases)
}

fn version(text: &str) -> Result<Version, String> {
    let mut version = [0; 4];
    let numbers: Vec<&str> = text.trim().split('.').collect();
    if !(3..=4).contains(&numbers.len()) {
        return Err(format!("{text:?} is not a version of three or four numbers"));
    }
    for (slot, number) in version.iter_mut().zip(numbers) {
        *slot = number.parse().map_err(|_| format!("{text:?} is not a version of three or four numbers"))?;
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_have_three_or_four_numbers() {
        assert_eq!(super::version("13.5.37").unwrap(), [13, 5, 37, 0]);
        assert_eq!(super::version("13.10.0.20").unwrap(), [13, 10, 0, 20]);
        assert!(super::version("13").is_err());
        assert!(super::version("13.x.1").is_err());
    }
}
