//! Finds and links the CUDA libraries, under the feature `linked` only.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(cuda12)");
    println!("cargo::rustc-check-cfg=cfg(cublaslt_has, values(any()))");
    println!("cargo::rustc-check-cfg=cfg(cudart_has, values(any()))");
    println!("cargo::rerun-if-env-changed=DOCS_RS");
    #[cfg(feature = "linked")]
    if std::env::var_os("DOCS_RS").is_none()
        && let Err(error) = linked::link()
    {
        println!("cargo::error={}", error.replace('\n', " "));
    }
}

#[cfg(feature = "linked")]
mod linked {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The runtime and cuBLAS that were found.
    struct Found {
        include: PathBuf,
        libraries: PathBuf,
        /// cuBLAS: major, minor, patch, build.
        cublas: [u16; 4],
        /// Runtime: major, minor.
        cudart: [u16; 2],
    }

    /// Links what is found, tells the code which functions it has, and publishes where it is.
    pub(super) fn link() -> Result<(), String> {
        let found = find()?;
        let major = found.cudart[0];
        if found.cublas[0] != major || !(12..=13).contains(&major) {
            return Err(format!(
                "the headers in {} are of cuBLAS {} and CUDA runtime {major}: both must be 12.x or both 13.x",
                found.include.display(),
                found.cublas[0]
            ));
        }
        println!("cargo::rustc-link-search=native={}", found.libraries.display());
        if cfg!(feature = "static") {
            link_archives(&found.libraries)?;
        } else {
            for name in ["cublasLt", "cudart"] {
                link_shared(&found.libraries, name, major)?;
            }
        }
        tell_versions(&found)?;
        let [a, b, c, d] = found.cublas;
        println!("cargo::metadata=include={}", found.include.display());
        println!("cargo::metadata=libdir={}", found.libraries.display());
        println!("cargo::metadata=version={a}.{b}.{c}.{d}");
        Ok(())
    }

    fn link_shared(folder: &Path, name: &str, major: u16) -> Result<(), String> {
        if is_windows() || folder.join(format!("lib{name}.so")).exists() {
            println!("cargo::rustc-link-lib=dylib={name}");
            return Ok(());
        }
        // NVIDIA's Python wheels have only the file with the major version in its name.
        let file = format!("lib{name}.so.{major}");
        if !folder.join(&file).exists() {
            return Err(format!("{} has neither lib{name}.so nor {file}", folder.display()));
        }
        println!("cargo::rustc-link-lib=dylib:+verbatim={file}");
        Ok(())
    }

    fn link_archives(folder: &Path) -> Result<(), String> {
        let names: &[&str] = if is_windows() {
            &["cublasLt", "cudart_static"]
        } else {
            &["cublasLt_static", "culibos", "cudart_static"]
        };
        for name in names {
            let file = if is_windows() { format!("{name}.lib") } else { format!("lib{name}.a") };
            if !folder.join(&file).exists() {
                return Err(format!(
                    "{} has no {file}, which the feature `static` needs; set CUDA_PATH to a toolkit with static \
                     archives, or use the feature `linked`",
                    folder.display()
                ));
            }
            println!("cargo::rustc-link-lib=static={name}");
        }
        if !is_windows() {
            for name in ["dl", "pthread", "rt", "m", "stdc++"] {
                println!("cargo::rustc-link-lib=dylib={name}");
            }
        }
        Ok(())
    }

    /// Sets a cfg for each known release that what was found includes.
    fn tell_versions(found: &Found) -> Result<(), String> {
        if found.cudart[0] == 12 {
            println!("cargo::rustc-cfg=cuda12");
        }
        let table = "src/bindings/availability.rs";
        println!("cargo::rerun-if-changed={table}");
        let text = fs::read_to_string(table).map_err(|error| format!("{table}: {error}"))?;
        let cublas = releases(&text, "CUBLASLT_RELEASES");
        let cudart = releases(&text, "CUDART_RELEASES");
        let [a, b, c, d] = found.cublas;
        if cublas.iter().all(|known| known[..2] < [a, b][..]) {
            println!(
                "cargo::warning=cuBLAS {a}.{b} is newer than these bindings know; its additions are missing"
            );
        }
        for [ka, kb, kc, kd] in cublas.into_iter().filter(|known| *known <= [a, b, c, d]) {
            println!("cargo::rustc-cfg=cublaslt_has=\"{ka}.{kb}.{kc}.{kd}\"");
        }
        for [ka, kb, kc, _] in cudart.into_iter().filter(|known| known[..2] <= found.cudart[..]) {
            println!("cargo::rustc-cfg=cudart_has=\"{ka}.{kb}.{kc}\"");
        }
        Ok(())
    }

    fn releases(text: &str, table: &str) -> Vec<[u16; 4]> {
        text.lines()
            .skip_while(|line| !line.contains(table))
            .skip(1)
            .map_while(|line| line.trim().strip_prefix('[')?.strip_suffix("],"))
            .filter_map(|row| {
                let numbers: Vec<u16> =
                    row.split(',').filter_map(|number| number.trim().parse().ok()).collect();
                numbers.try_into().ok()
            })
            .collect()
    }

    fn find() -> Result<Found, String> {
        let mut tried = Vec::new();
        for (include, libraries) in places() {
            match read(&include, &libraries) {
                Ok(found) => return Ok(found),
                Err(reason) => tried.push(format!("{}: {reason}", include.display())),
            }
        }
        Err(format!(
            "cuBLASLt was not found; set CUDA_PATH to a CUDA toolkit (a folder with include/cublasLt.h), or build \
             without the feature `linked`, which needs no library. Tried: {}",
            tried.join("; ")
        ))
    }

    /// Pairs of an include and a library folder, in the order they are tried.
    fn places() -> Vec<(PathBuf, PathBuf)> {
        let mut roots: Vec<PathBuf> = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(variable).collect();
        let mut places = Vec::new();
        if roots.is_empty() {
            places.extend(from_pkg_config());
            roots.extend(["/usr/local/cuda", "/opt/cuda", "/usr"].map(PathBuf::from));
        }
        for root in roots {
            let mut folders = if is_windows() {
                vec![(root.join("include"), root.join("lib").join("x64"))]
            } else {
                vec![
                    (root.join("include"), root.join("lib64")),
                    (root.join("include"), root.join("lib")),
                    (root.join("include"), root.join("lib").join(format!("{}-linux-gnu", architecture()))),
                ]
            };
            for target in targets() {
                let target = root.join("targets").join(target);
                folders.push((target.join("include"), target.join("lib")));
            }
            places.extend(folders);
        }
        places
    }

    fn from_pkg_config() -> Option<(PathBuf, PathBuf)> {
        let find = |name: &str| pkg_config::Config::new().cargo_metadata(false).probe(name).ok();
        for major in [13, 12] {
            for minor in (0..16).rev() {
                if let Some(library) = find(&format!("cublas-{major}.{minor}")) {
                    return Some((
                        library.include_paths.first()?.clone(),
                        library.link_paths.first()?.clone(),
                    ));
                }
            }
            if let Some(library) = find(&format!("cublas-{major}")) {
                return Some((library.include_paths.first()?.clone(), library.link_paths.first()?.clone()));
            }
        }
        None
    }

    /// Reads versions from the headers' macros, and holds that the libraries lie where they should.
    fn read(include: &Path, libraries: &Path) -> Result<Found, String> {
        let header = |name: &str| {
            fs::read(include.join(name))
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .map_err(|_| format!("has no {name}"))
        };
        header("cublasLt.h")?;
        let (api, runtime) = (header("cublas_api.h")?, header("cuda_runtime_api.h")?);
        if !libraries.is_dir() {
            return Err(format!("there is no folder {}", libraries.display()));
        }
        let cublas =
            ["MAJOR", "MINOR", "PATCH", "BUILD"].map(|part| number(&api, &format!("CUBLAS_VER_{part}")));
        let [Some(a), Some(b), Some(c), Some(d)] = cublas else {
            return Err("cublas_api.h tells no version".into());
        };
        let version = number(&runtime, "CUDART_VERSION").ok_or("cuda_runtime_api.h tells no version")?;
        Ok(Found {
            include: include.to_path_buf(),
            libraries: libraries.to_path_buf(),
            cublas: [a, b, c, d],
            cudart: [version / 1000, version % 1000 / 10],
        })
    }

    /// The value of `#define NAME value`.
    fn number(header: &str, name: &str) -> Option<u16> {
        header.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some("#define") && words.next() == Some(name))
                .then(|| words.next()?.parse().ok())?
        })
    }

    /// A variable, with the target before its name first; either is watched for changes.
    fn variable(name: &str) -> Option<PathBuf> {
        let target = env::var("TARGET").unwrap_or_default().to_uppercase().replace('-', "_");
        [format!("{target}_{name}"), name.to_owned()].into_iter().find_map(|name| {
            println!("cargo::rerun-if-env-changed={name}");
            env::var_os(&name).filter(|value| !value.is_empty()).map(PathBuf::from)
        })
    }

    fn is_windows() -> bool {
        env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "windows")
    }

    fn architecture() -> String {
        env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default()
    }

    fn targets() -> &'static [&'static str] {
        match architecture().as_str() {
            "x86_64" => &["x86_64-linux"],
            "aarch64" => &["sbsa-linux", "aarch64-linux"],
            _ => &[],
        }
    }
}
