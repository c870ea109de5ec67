//! Finding the libraries: what is there, what is not, and what is said of each.
//!
//! The libraries are opened once a process, so each test runs this program again with `--child` and its own
//! environment, and reads what the child says.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use cublaslt::{Device, sys};
use cublaslt_tests::harness::{Outcome, Stop, cuda_releases, ensure, run, test};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--child") => child(),
        Some("--child-after-dlopen") => {
            let paths: Vec<String> = std::env::args().skip(2).collect();
            let opened: Vec<libloading::Library> = paths
                .iter()
                // SAFETY: NVIDIA's own libraries, whose initialisers may run at any time.
                .filter_map(|path| unsafe { libloading::Library::new(path) }.ok())
                .collect();
            assert_eq!(opened.len(), paths.len(), "the libraries could be opened");
            child();
        }
        _ => run(vec![
            test("no library named so: every place is listed", nothing_there),
            test("a named file that is not there", named_file_missing),
            test("a folder in place of a file", folder_named),
            test("a file that is no library", no_library),
            test("only libcublasLt.so.12", only_twelve),
            test("only a stub folder", only_stubs),
            test("a runtime of another major version", other_runtime),
            test("a library without the symbols", missing_symbols),
            test("an older library than is served", too_old),
            test("the copy that the process has is taken", copy_in_process),
            test("CUDA_PATH is searched", cuda_path),
            test("the wheels of a Python environment are found", python_environment),
            test("explicit paths, and then nothing else", explicit_paths),
            test("13 functions are called under their 12 names", renamed_functions),
        ]),
    }
}

/// Says what loading gives, and what calls do then; a panic would end it with another status.
fn child() {
    match sys::load() {
        Ok(sys::Libraries { cublaslt, cudart }) => println!("loaded {cublaslt} | {cudart}"),
        Err(error) => println!("{error}"),
    }
    // SAFETY: takes nothing.
    println!("version {}", unsafe { sys::cublasLtGetVersion() });
    let mut handle = std::ptr::null_mut();
    // SAFETY: the pointer is to a live handle.
    println!("create {:?}", unsafe { sys::cublasLtCreate(&raw mut handle) });
    let mut emulation = std::ptr::null_mut();
    // SAFETY: the pointer is to a live handle.
    println!("emulation {:?}", unsafe { sys::cublasLtEmulationDescCreate(&raw mut emulation) });
    println!("emulation available {}", sys::is_available("cublasLtEmulationDescCreate"));
    for name in
        ["cudaMemAdvise", "cudaGetDeviceProperties", "cudaThreadExit", "cudaMalloc", "cudaNoSuchFunction"]
    {
        println!("{name} available {}", sys::is_available(name));
    }
    if let Err(error) = Device::count() {
        println!("safe {:?}", error.kind());
    }
}

/// A child with nothing in its environment but what is given.
fn say(arguments: &[&str], environment: &[(&str, &Path)]) -> Result<String, Stop> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).env_clear().env("PATH", "/nowhere");
    let output = command.envs(environment.iter().copied()).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure(output.status.success(), || format!("the child ended with {}: {text}{errors}", output.status))?;
    Ok(text)
}

fn contains(text: &str, words: &[&str]) -> Outcome {
    ensure(words.iter().all(|word| text.contains(word)), || format!("{text}\nshould say {words:?}"))
}

/// A folder of this test's own, emptied first.
fn folder(name: &str) -> Result<PathBuf, Stop> {
    let folder = std::env::temp_dir().join(format!("cublaslt-loading-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The newest fetched release of a major version: its cuBLASLt and its runtime.
fn release(major: u32) -> Result<(PathBuf, PathBuf), Stop> {
    let folder = cuda_releases()?;
    let mut found: Vec<PathBuf> = fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path().join("lib")))
        .filter(|lib| lib.join(format!("libcublasLt.so.{major}")).exists())
        .collect();
    found.sort();
    let lib =
        found.pop().ok_or_else(|| Stop::Ignored(format!("no cuBLASLt {major} in {}", folder.display())))?;
    Ok((lib.join(format!("libcublasLt.so.{major}")), lib.join(format!("libcudart.so.{major}"))))
}

/// A shared library built from C, or the reason to ignore the test.
fn build(folder: &Path, name: &str, source: &str) -> Result<PathBuf, Stop> {
    let (input, output) = (folder.join("library.c"), folder.join(name));
    fs::write(&input, source)?;
    let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&output).arg(&input).status();
    match status {
        Ok(status) if status.success() => Ok(output),
        Ok(status) => Err(Stop::Failed(format!("cc ended with {status}"))),
        Err(error) => Err(Stop::Ignored(format!("no C compiler: {error}"))),
    }
}

/// A cuBLASLt that only tells versions.
fn fake(version: u32, runtime: u32) -> String {
    format!(
        "#include <stddef.h>\nsize_t cublasLtGetVersion(void) {{ return {version}; }}\n\
         size_t cublasLtGetCudartVersion(void) {{ return {runtime}; }}\n"
    )
}

fn system_has_cuda() -> Outcome {
    let text = say(&["--child"], &[])?;
    if text.starts_with("loaded") {
        return Err(Stop::Ignored("this machine has the CUDA libraries where the search finds them".into()));
    }
    Ok(())
}

fn nothing_there() -> Outcome {
    system_has_cuda()?;
    let text = say(&["--child"], &[])?;
    contains(
        &text,
        &[
            "could not be loaded; tried:",
            "libcublasLt.so.13: ",
            "libcublasLt.so.12: ",
            "/usr/local/cuda/lib64/libcublasLt.so.13: is not there",
            "/usr/lib/wsl/lib/libcublasLt.so.12: is not there",
            "pip install nvidia-cublas nvidia-cuda-runtime",
            "CUBLASLT_LIBRARY",
            "version 0",
            "create CUBLAS_STATUS_NOT_INITIALIZED",
            "cudaMalloc available false",
            "safe Library",
        ],
    )?;
    // The name without a version is what a development package links to, of whatever version.
    ensure(!text.contains("libcublasLt.so:"), || format!("the unversioned name was tried: {text}"))
}

fn named_file_missing() -> Outcome {
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", Path::new("/nowhere/libcublasLt.so.13"))])?;
    contains(&text, &["/nowhere/libcublasLt.so.13 (CUBLASLT_LIBRARY): ", "No such file"])?;
    ensure(!text.contains("/usr/local"), || format!("other places were searched: {text}"))
}

fn folder_named() -> Outcome {
    let folder = folder("folder")?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &folder)])?;
    contains(&text, &["is a folder; the path of the file is needed, such as libcublasLt.so.13"])
}

fn no_library() -> Outcome {
    let file = folder("text")?.join("libcublasLt.so.13");
    fs::write(&file, "this is no library")?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &file)])?;
    contains(&text, &["libcublasLt.so.13 (CUBLASLT_LIBRARY): ", "file too short"])
}

fn only_twelve() -> Outcome {
    let (cublaslt, cudart) = release(12)?;
    let root = folder("twelve")?;
    fs::create_dir(root.join("lib64"))?;
    for library in [&cublaslt, &cudart] {
        symlink(library, root.join("lib64").join(library.file_name().unwrap_or_default()))?;
    }
    let text = say(&["--child"], &[("CUDA_PATH", &root)])?;
    if text.contains("cuBLASLt 13") {
        return Err(Stop::Ignored("this machine has cuBLASLt 13 where the loader finds it".into()));
    }
    contains(
        &text,
        &[
            "loaded cuBLASLt 12.",
            "CUDA runtime 12.",
            "emulation CUBLAS_STATUS_NOT_SUPPORTED",
            "emulation available false",
            "cudaMemAdvise available true",
            "cudaGetDeviceProperties available false",
            "cudaThreadExit available true",
            "cudaNoSuchFunction available false",
        ],
    )
}

fn only_stubs() -> Outcome {
    system_has_cuda()?;
    let root = folder("stubs")?;
    let stubs = root.join("lib64").join("stubs");
    fs::create_dir_all(&stubs)?;
    let library = build(&stubs, "libcublasLt.so.13", &fake(131_000, 13_000))?;
    let text = say(&["--child"], &[("CUDA_PATH", &root)])?;
    contains(&text, &["could not be loaded"])?;
    ensure(!text.contains(&*library.to_string_lossy()), || format!("the stub was tried: {text}"))?;
    let text = say(&["--child"], &[("LD_LIBRARY_PATH", &stubs)])?;
    contains(&text, &["libcublasLt.so.13: lies in a folder of stub libraries"])?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &library)])?;
    contains(&text, &["lies in a folder of stub libraries"])
}

fn other_runtime() -> Outcome {
    let ((cublaslt, _), (_, cudart)) = (release(13)?, release(12)?);
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &cublaslt), ("CUDART_LIBRARY", &cudart)])?;
    contains(
        &text,
        &[
            "libcudart.so.12: is CUDA runtime 12.9.0; ",
            "libcublasLt.so.13 needs 13.x",
            "no CUDA runtime 13 was found for it",
        ],
    )
}

fn missing_symbols() -> Outcome {
    let folder = folder("symbols")?;
    let empty = build(&folder, "libcublasLt.so.13", "int nothing;\n")?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &empty)])?;
    contains(&text, &["has no function cublasLtGetVersion"])?;
    // One that tells its version and no more loads; each missing function then returns a status.
    let (_, cudart) = release(13)?;
    let partial = build(&folder, "libcublasLt.so.13.1", &fake(130_100, 13_000))?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &partial), ("CUDART_LIBRARY", &cudart)])?;
    contains(
        &text,
        &["loaded cuBLASLt 13.1.0", "create CUBLAS_STATUS_NOT_SUPPORTED", "emulation available false"],
    )
}

fn too_old() -> Outcome {
    let folder = folder("old")?;
    let old = build(&folder, "libcublasLt.so.11", &fake(111_103, 11_080))?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &old)])?;
    contains(&text, &["is cuBLASLt 11.11.3; 12.0.0 or newer is needed"])?;
    let stub = build(&folder, "libcublasLt.so.13", &fake(0, 0))?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &stub)])?;
    contains(&text, &["tells version 0, as a stub library does"])
}

fn copy_in_process() -> Outcome {
    // The copy lies where no search would find it, and another lies where the search would.
    let ((cublaslt, cudart), (other, other_cudart)) = (release(12)?, release(13)?);
    let root = folder("process")?;
    fs::create_dir(root.join("lib64"))?;
    for library in [&other, &other_cudart] {
        symlink(library, root.join("lib64").join(library.file_name().unwrap_or_default()))?;
    }
    let arguments = ["--child-after-dlopen", &cublaslt.to_string_lossy(), &cudart.to_string_lossy()];
    let text = say(&arguments, &[("CUDA_PATH", &root)])?;
    contains(&text, &["loaded cuBLASLt 12.", &cublaslt.to_string_lossy(), &cudart.to_string_lossy()])
}

fn cuda_path() -> Outcome {
    system_has_cuda()?;
    let (cublaslt, _) = release(13)?;
    let root = cublaslt.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    for name in ["CUDA_PATH", "CUDA_HOME"] {
        let text = say(&["--child"], &[(name, root)])?;
        contains(
            &text,
            &["loaded cuBLASLt 13.", &cublaslt.to_string_lossy(), "emulation CUBLAS_STATUS_SUCCESS"],
        )?;
    }
    Ok(())
}

fn python_environment() -> Outcome {
    system_has_cuda()?;
    let environment = folder("python")?;
    let packages = environment.join("lib/python3.12/site-packages/nvidia");
    // CUDA 13's wheels share a folder, CUDA 12's have one each.
    let (cublaslt, cudart) = release(13)?;
    fs::create_dir_all(packages.join("cu13/lib"))?;
    symlink(&cublaslt, packages.join("cu13/lib/libcublasLt.so.13"))?;
    symlink(&cudart, packages.join("cu13/lib/libcudart.so.13"))?;
    let text = say(&["--child"], &[("VIRTUAL_ENV", &environment)])?;
    contains(&text, &["loaded cuBLASLt 13.", "python3.12/site-packages/nvidia/cu13/lib/libcublasLt.so.13"])?;
    let (cublaslt, cudart) = release(12)?;
    fs::remove_dir_all(packages.join("cu13"))?;
    for (library, wheel) in [(&cublaslt, "cublas"), (&cudart, "cuda_runtime")] {
        let lib = packages.join(wheel).join("lib");
        fs::create_dir_all(&lib)?;
        symlink(library, lib.join(library.file_name().unwrap_or_default()))?;
    }
    let text = say(&["--child"], &[("VIRTUAL_ENV", &environment)])?;
    contains(&text, &["loaded cuBLASLt 12.", "nvidia/cublas/lib", "nvidia/cuda_runtime/lib"])
}

fn explicit_paths() -> Outcome {
    for major in [12, 13] {
        let (cublaslt, cudart) = release(major)?;
        let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &cublaslt), ("CUDART_LIBRARY", &cudart)])?;
        contains(
            &text,
            &[&format!("loaded cuBLASLt {major}."), &cublaslt.to_string_lossy(), &cudart.to_string_lossy()],
        )?;
    }
    Ok(())
}

fn renamed_functions() -> Outcome {
    let (cublaslt, cudart) = release(13)?;
    let text = say(&["--child"], &[("CUBLASLT_LIBRARY", &cublaslt), ("CUDART_LIBRARY", &cudart)])?;
    contains(
        &text,
        &[
            "cudaMemAdvise available true",
            "cudaGetDeviceProperties available true",
            "cudaThreadExit available false",
            "cudaMalloc available true",
        ],
    )
}
