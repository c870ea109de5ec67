//! The project's own commands: `cargo xtask COMMAND`.

mod bundle;
mod ci;
mod command;
mod demo;
mod executables;
mod fetch;
mod pin;
mod regen;
mod releases;
mod summary;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

  demo [ARGS]           y = gelu(x·wᵀ + b) with cuBLASLt on the GPU, or without one what can be shown
  test                  every test that can run here, against the newest cuBLASLt 13.x and 12.9
  ci [STAGE]…           what continuous integration holds: formatting, lints, docs, bindings, licences, tests
  fetch-cuda [--cublas VERSION]… [--all] [--headers] [--from DIR]
                        NVIDIA's headers and libraries to target/cuda/VERSION, as wheels through pip
  regen-bindings [--check] [--all]
                        cublaslt-sys/src/bindings from the headers; --check only compares
  bundle                tests, examples and benches as stripped executables in target/bundle, with a run.sh
  pin-cuda NAME==VERSION…
                        a file in xtask/cuda-releases with the hashes of a release's wheels; the first is cuBLAS
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let arguments: Vec<String> = arguments.collect();
    if arguments.iter().any(|argument| argument == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let result = match name.as_str() {
        "demo" => demo::run(&arguments),
        "test" => test::run(&arguments),
        "ci" => ci::run(&arguments),
        "fetch-cuda" => fetch::run(&arguments),
        "regen-bindings" => regen::run(&arguments),
        "bundle" => bundle::run(&arguments),
        "pin-cuda" => pin::run(&arguments),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("unknown command {other:?}\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
