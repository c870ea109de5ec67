//! The first thing to run: y = gelu(x·wᵀ + b) in bf16, on the GPU and against the CPU reference.
//!
//! `cargo xtask demo` brings the libraries and runs this; `--find-library` only tells by its status whether they are
//! there. Without a GPU it shows what the library does without one,
//! and the same problem on the CPU.

use std::time::Instant;

use cublaslt::descriptor::{MatmulDesc, MatrixLayout};
use cublaslt::reference::{self, Arithmetic, Expected, LinearLayer, Real};
use cublaslt::{
    Activation, ComputeType, DataType, Device, DeviceBuffer, Epilogue, Event, Handle, Linear, LinearSpec,
    Result, Stream, sys,
};
use half::bf16;

const M: usize = 512;
const N: usize = 1024;
const K: usize = 4096;
/// Largest relative norm that is right for bf16.
const LIMIT: f64 = 1e-2;

fn main() -> std::process::ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--find-library") {
        return if sys::load().is_ok() {
            std::process::ExitCode::SUCCESS
        } else {
            std::process::ExitCode::FAILURE
        };
    }
    match demo() {
        Ok(true) => std::process::ExitCode::SUCCESS,
        Ok(false) => std::process::ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// Returns whether what was computed is right.
fn demo() -> Result<bool> {
    match sys::load() {
        Ok(sys::Libraries { cublaslt, cudart }) => println!("library    {cublaslt}\nruntime    {cudart}"),
        Err(error) => {
            println!("{error}\n");
            return Ok(on_cpu(&Data::new()));
        }
    }
    let data = Data::new();
    match Device::new(0) {
        Ok(device) => on_gpu(device, &data),
        Err(error) => {
            println!("no GPU     {error}");
            without_gpu()?;
            Ok(on_cpu(&data))
        }
    }
}

/// The operands: values of both signs, scaled so that results are of the order of 1.
struct Data {
    x: Vec<bf16>,
    w: Vec<bf16>,
    bias: Vec<bf16>,
}

impl Data {
    fn new() -> Self {
        let mut state = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(1, |time| u64::from(time.subsec_nanos()) | 1);
        let mut values = |len: usize, scale: f64| -> Vec<bf16> {
            (0..len)
                .map(|_| {
                    // The xorshift generator of Marsaglia, 2003.
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    let unit = (state >> 11) as f64 / (1_u64 << 53) as f64;
                    bf16::round(scale * (2.0 * unit - 1.0))
                })
                .collect()
        };
        Self { x: values(M * K, 1.0), w: values(N * K, 3.0 / (K as f64).sqrt()), bias: values(N, 1.0) }
    }

    fn expected(&self) -> Expected {
        reference::linear(&LinearLayer {
            m: M,
            n: N,
            k: K,
            x: &self.x,
            x_stride: K,
            w: &self.w,
            w_stride: K,
            bias: Some(&self.bias),
            activation: reference::Activation::GeluTanh,
        })
    }
}

fn on_gpu(device: Device, data: &Data) -> Result<bool> {
    const RUNS: u16 = 100;
    println!("GPU        {device}");
    let spec = LinearSpec::new(M, N, K).bias().activation(Activation::Gelu);
    let stream = Stream::new(device)?;
    let handle = Handle::new(device)?;
    let start = Instant::now();
    let linear = Linear::<bf16>::new(&handle, &spec)?;
    let planned = start.elapsed();
    let plan = linear.plan();
    println!("problem    {}", plan.problem());
    println!(
        "plan       made in {:.1} ms, workspace {} bytes",
        planned.as_secs_f64() * 1e3,
        plan.workspace_bytes()
    );
    if let Some(candidate) = plan.candidate() {
        println!("algorithm  {}", candidate.algorithm.config()?);
    }
    let x = DeviceBuffer::from_slice(&stream, &data.x)?;
    let w = DeviceBuffer::from_slice(&stream, &data.w)?;
    let bias = DeviceBuffer::from_slice(&stream, &data.bias)?;
    // Filled with NaN, so that an element that was not written shows.
    let mut y = DeviceBuffer::filled(&stream, M * N, 0xff)?;
    let mut executor = linear.executor(&stream)?;
    executor.run(&x, &w, Some(bias.as_slice()), &mut y)?;
    let result = y.to_vec(&stream)?;

    let (before, after) = (Event::new(device)?, Event::new(device)?);
    before.record(&stream)?;
    for _ in 0..RUNS {
        executor.run(&x, &w, Some(bias.as_slice()), &mut y)?;
    }
    after.record(&stream)?;
    after.synchronize()?;
    let seconds = f64::from(after.milliseconds_since(&before)?) / 1e3 / f64::from(RUNS);
    println!(
        "time       {:.1} µs a run, {:.0} TFLOP/s (mean of {RUNS} runs on one set of operands)",
        seconds * 1e6,
        plan.problem().flops() / seconds / 1e12
    );
    let comparison = data.expected().compare(&result, N, Arithmetic::TensorCore);
    println!("error      {comparison}");
    let right = comparison.passes(LIMIT);
    println!("{}", if right { "right: within the bounds of bf16" } else { "WRONG" });
    Ok(right)
}

/// What the real library does on a machine without a GPU: descriptors and their attributes.
fn without_gpu() -> Result<()> {
    let mut desc = MatmulDesc::new(ComputeType::F32, DataType::F32)?;
    desc.set_epilogue(Epilogue::GELU_BIAS)?;
    let layout = MatrixLayout::new(DataType::BF16, 4096, 1024, 4096)?;
    println!(
        "library    made a descriptor with compute {} and epilogue {}, and a layout of {} × {} {}",
        desc.compute_type()?,
        desc.epilogue()?,
        layout.rows()?,
        layout.cols()?,
        layout.data_type()?
    );
    Ok(())
}

/// The same problem on the CPU. What a GPU gives is the reference rounded to bf16, or close to it.
fn on_cpu(data: &Data) -> bool {
    let spec = LinearSpec::new(M, N, K).bias().activation(Activation::Gelu);
    println!("problem    {}", spec.problem::<bf16>());
    let start = Instant::now();
    let expected = data.expected();
    println!("CPU        reference in f64 took {:.2} s", start.elapsed().as_secs_f64());
    let rounded: Vec<bf16> = expected.values.iter().map(|value| bf16::round(*value)).collect();
    println!("y[0, 0..4] {:?}", &rounded[..4]);
    let comparison = expected.compare(&rounded, N, Arithmetic::TensorCore);
    println!("error      {comparison} (of rounding to bf16 alone)");
    println!("on a machine with an NVIDIA GPU the same command shows the plan, its speed and its error");
    comparison.passes(LIMIT)
}
