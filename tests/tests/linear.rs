//! The fused linear layer on a GPU, against the CPU reference.

use cublaslt::reference::{self, Arithmetic, LinearLayer, Real};
use cublaslt::{
    Activation, DeviceBuffer, Handle, Linear, LinearExecutor, LinearSpec, Plan, PlanOptions, Problem, Run,
    Stream, matmul::LinearElement,
};
use cublaslt_tests::data::Source;
use cublaslt_tests::harness::{Outcome, Stop, ensure, gpu, run, test};
use half::{bf16, f16};

/// Bytes that make NaN of every floating-point type: what was not written shows.
const POISON: u8 = 0xff;

/// Rows, outputs, inputs.
type Size = (usize, usize, usize);

const SIZES: [Size; 10] = [
    (1, 4096, 4096),
    (77, 1280, 1280),
    (33, 17, 45),
    (1000, 1000, 1000),
    (128, 4096, 512),
    (4096, 64, 128),
    (131, 1, 64),
    (1, 131, 8),
    (31, 53, 1),
    (64, 64, 64),
];

/// What a layer's rows and pointers look like.
#[derive(Clone, Copy)]
struct Placement {
    /// Elements before the first of x, w, y.
    offset: usize,
    /// Elements between rows that belong to nobody.
    gap: usize,
    /// Elements before the first of the bias.
    bias_offset: usize,
}

const PACKED: Placement = Placement { offset: 0, gap: 0, bias_offset: 0 };
const PLACEMENTS: [(&str, Placement); 3] = [
    ("gaps", Placement { offset: 0, gap: 13, bias_offset: 0 }),
    ("columns of a wider matrix", Placement { offset: 1, gap: 2, bias_offset: 0 }),
    ("odd bias", Placement { offset: 0, gap: 0, bias_offset: 1 }),
];

struct Case {
    size: Size,
    activation: Activation,
    bias: bool,
    tf32: bool,
    placement: Placement,
}

fn main() {
    let mut tests = Vec::new();
    for size in SIZES {
        every_type(
            &mut tests,
            size,
            "packed",
            PACKED,
            &[Activation::None, Activation::Relu, Activation::Gelu],
        );
    }
    for (name, placement) in PLACEMENTS {
        for size in [(77, 129, 255), (64, 256, 128)] {
            every_type(&mut tests, size, name, placement, &[Activation::Gelu]);
        }
    }
    tests.extend([
        test("misuse is named before anything is launched", misuse),
        test("a bias may change from run to run", changing_bias),
        test("alpha and beta scale as documented", alpha_and_beta),
        test("f16 sums pass 65504 on the way", large_sums),
        test("two streams at once", two_streams),
        test("everything may be dropped while work is queued", dropped_while_queued),
        test("an empty layer does nothing", empty),
        test("the same run twice gives the same bits", repeatable),
    ]);
    run(tests)
}

fn every_type(
    tests: &mut Vec<libtest_mimic::Trial>,
    size: Size,
    name: &str,
    placement: Placement,
    activations: &[Activation],
) {
    let (m, n, k) = size;
    for activation in activations.iter().copied() {
        for bias in [false, true] {
            if placement.bias_offset > 0 && !bias {
                continue;
            }
            let case = move |tf32| Case { size, activation, bias, tf32, placement };
            let bias_name = if bias { "bias" } else { "no bias" };
            let title = |ty: &str| format!("{ty} {m}x{n}x{k} {activation:?} {bias_name}, {name}");
            tests.push(test(title("f32"), move || layer::<f32>(&case(false), Arithmetic::F32, 1e-5)));
            tests.push(test(title("tf32"), move || layer::<f32>(&case(true), Arithmetic::Tf32, 1e-3)));
            tests.push(test(title("f16"), move || layer::<f16>(&case(false), Arithmetic::TensorCore, 2e-3)));
            tests
                .push(test(title("bf16"), move || layer::<bf16>(&case(false), Arithmetic::TensorCore, 1e-2)));
        }
    }
}

fn reference_activation(activation: Activation) -> reference::Activation {
    match activation {
        Activation::None => reference::Activation::Identity,
        Activation::Relu => reference::Activation::Relu,
        Activation::Gelu => reference::Activation::GeluTanh,
    }
}

/// Runs one layer on fresh data and compares every element; what lies between rows must stay as it was.
fn layer<T: LinearElement + Real>(case: &Case, arithmetic: Arithmetic, limit: f64) -> Outcome {
    let device = gpu()?;
    let stream = Stream::new(device)?;
    let (m, n, k) = case.size;
    let Placement { offset, gap, bias_offset } = case.placement;
    let mut source = Source::new();
    let x: Vec<T> = source.values(offset + m * (k + gap), 1.0);
    let w: Vec<T> = source.values(offset + n * (k + gap), 3.0 / (k as f64).sqrt());
    let bias: Vec<T> = source.values(bias_offset + n, 1.0);

    let alignment =
        |elements: usize| if elements == 0 { 256 } else { u32::try_from(size_of::<T>()).unwrap_or(1) };
    let mut spec = LinearSpec::new(m, n, k)
        .activation(case.activation)
        .row_strides(k + gap, k + gap, n + gap)
        .alignments(alignment(offset), alignment(offset), alignment(offset));
    if case.bias {
        spec = spec.bias().bias_alignment(if bias_offset == 0 { 16 } else { alignment(bias_offset) });
    }
    if case.tf32 {
        spec = spec.tf32();
    }
    let linear = Linear::<T>::new(&Handle::new(device)?, &spec)?;
    let mut executor = linear.executor(&stream)?;

    let x_there = DeviceBuffer::from_slice(&stream, &x)?;
    let w_there = DeviceBuffer::from_slice(&stream, &w)?;
    let bias_there = DeviceBuffer::from_slice(&stream, &bias)?;
    let mut y_there = DeviceBuffer::<T>::filled(&stream, offset + m * (n + gap), POISON)?;
    let given_bias = case.bias.then(|| bias_there.slice(bias_offset..));
    let mut y_part = y_there.as_mut_slice();
    executor.run(x_there.slice(offset..), w_there.slice(offset..), given_bias, y_part.slice_mut(offset..))?;
    let y = y_there.to_vec(&stream)?;

    let expected = reference::linear(&LinearLayer {
        m,
        n,
        k,
        x: &x[offset..],
        x_stride: k + gap,
        w: &w[offset..],
        w_stride: k + gap,
        bias: case.bias.then(|| &bias[bias_offset..]),
        activation: reference_activation(case.activation),
    });
    let comparison = expected.compare(&y[offset..], n + gap, arithmetic);
    ensure(comparison.passes(limit), || format!("{comparison}; {}; seed {}", linear.plan(), source.seed()))?;
    let untouched = |at: usize| y[at].to_f64().is_nan();
    let gaps = (0..m).flat_map(|row| (n..n + gap).map(move |column| offset + row * (n + gap) + column));
    ensure((0..offset).chain(gaps).all(untouched), || format!("wrote between the rows; {}", linear.plan()))
}

/// A small bf16 layer with bias that is ready to run.
struct Ready {
    stream: Stream,
    linear: Linear<bf16>,
    executor: LinearExecutor<bf16>,
    x: DeviceBuffer<bf16>,
    w: DeviceBuffer<bf16>,
    bias: DeviceBuffer<bf16>,
    y: DeviceBuffer<bf16>,
}

const READY: Size = (32, 48, 64);

fn ready() -> Result<Ready, Stop> {
    let device = gpu()?;
    let stream = Stream::new(device)?;
    let (m, n, k) = READY;
    let mut source = Source::new();
    let linear = Linear::new(&Handle::new(device)?, &LinearSpec::new(m, n, k).bias())?;
    Ok(Ready {
        executor: linear.executor(&stream)?,
        linear,
        x: DeviceBuffer::from_slice(&stream, &source.values::<bf16>(m * k, 1.0))?,
        w: DeviceBuffer::from_slice(&stream, &source.values::<bf16>(n * k, 1.0))?,
        bias: DeviceBuffer::from_slice(&stream, &source.values::<bf16>(n, 1.0))?,
        y: DeviceBuffer::filled(&stream, m * n, POISON)?,
        stream,
    })
}

impl Ready {
    /// Holds what y holds against the reference with the given bias.
    fn check(&self, bias: &DeviceBuffer<bf16>) -> Outcome {
        let (m, n, k) = READY;
        let expected = reference::linear(&LinearLayer {
            m,
            n,
            k,
            x: &self.x.to_vec(&self.stream)?,
            x_stride: k,
            w: &self.w.to_vec(&self.stream)?,
            w_stride: k,
            bias: Some(&bias.to_vec(&self.stream)?),
            activation: reference::Activation::Identity,
        });
        let comparison = expected.compare(&self.y.to_vec(&self.stream)?, n, Arithmetic::TensorCore);
        ensure(comparison.passes(1e-2), || comparison.to_string())
    }
}

fn misuse() -> Outcome {
    let mut ready = ready()?;
    let (m, n, k) = READY;
    let refused = |result: cublaslt::Result<()>, words: &[&str]| -> Outcome {
        let text = result.err().map(|error| error.to_string()).unwrap_or_default();
        ensure(words.iter().all(|word| text.contains(word)), || format!("{text:?} should say {words:?}"))
    };
    let bias = || Some(ready.bias.as_slice());
    let executor = &mut ready.executor;
    refused(executor.run(&ready.x, &ready.w, None, &mut ready.y), &["needs a bias"])?;
    refused(
        executor.run(ready.x.slice(..m * k - 1), &ready.w, bias(), &mut ready.y),
        &["x needs 2048 elements", "2047", "bf16[32×64]"],
    )?;
    refused(
        executor.run(&ready.x, ready.w.slice(1..), bias(), &mut ready.y),
        &["w needs 3072 elements", "3071"],
    )?;
    refused(
        executor.run(&ready.x, &ready.w, Some(ready.bias.slice(..n - 1)), &mut ready.y),
        &["the bias needs 48 elements"],
    )?;
    let wide = DeviceBuffer::<bf16>::filled(&ready.stream, m * k + 8, 0)?;
    refused(
        executor.run(wide.slice(8..), &ready.w, bias(), &mut ready.y),
        &["x is planned for pointers aligned to 256 bytes", "aligned to 16"],
    )?;
    refused(
        executor.run(&ready.x, &ready.w, Some(wide.slice(1..)), &mut ready.y),
        &["the bias is planned for pointers aligned to 16 bytes", "aligned to 2"],
    )?;
    let other = DeviceBuffer::<f32>::filled(&ready.stream, m * k, 0)?;
    let untyped = Run::new::<f32, bf16, bf16>(&other, &ready.w, &mut ready.y).bias::<bf16>(&ready.bias);
    refused(executor.executor().run(untyped), &["x is planned as bf16 and given as f32"])?;
    let poisoned = ready.y.to_vec(&ready.stream)?.iter().all(|value| value.is_nan());
    ensure(poisoned, || "a refused run wrote to y".into())?;
    executor.run(&ready.x, &ready.w, Some(ready.bias.as_slice()), &mut ready.y)?;
    ready.check(&ready.bias)
}

fn changing_bias() -> Outcome {
    let mut ready = ready()?;
    let other = DeviceBuffer::from_slice(&ready.stream, &Source::new().values::<bf16>(READY.1, 1.0))?;
    for _ in 0..2 {
        ready.executor.run(&ready.x, &ready.w, Some(ready.bias.as_slice()), &mut ready.y)?;
        ready.check(&ready.bias)?;
        ready.executor.run(&ready.x, &ready.w, Some(other.as_slice()), &mut ready.y)?;
        ready.check(&other)?;
    }
    Ok(())
}

fn alpha_and_beta() -> Outcome {
    let device = gpu()?;
    let stream = Stream::new(device)?;
    let (m, n, k) = (24, 40, 56);
    let mut source = Source::new();
    let (a, b): (Vec<f32>, Vec<f32>) = (source.values(m * k, 1.0), source.values(k * n, 1.0));
    let before: Vec<f32> = source.values(m * n, 1.0);
    let plan = Plan::new(
        &Handle::new(device)?,
        Problem::new(cublaslt::DataType::F32, m, n, k),
        PlanOptions::default(),
    )?;
    let mut executor = plan.executor(&stream)?;
    let a_there = DeviceBuffer::from_slice(&stream, &a)?;
    let b_there = DeviceBuffer::from_slice(&stream, &b)?;
    let mut d_there = DeviceBuffer::from_slice(&stream, &before)?;
    executor.run(Run::new::<f32, f32, f32>(&a_there, &b_there, &mut d_there).alpha(-2.0).beta(0.5))?;
    let d = d_there.to_vec(&stream)?;
    for row in 0..m {
        for column in 0..n {
            let product: f64 = (0..k).map(|i| f64::from(a[row * k + i]) * f64::from(b[i * n + column])).sum();
            let expected = -2.0 * product + 0.5 * f64::from(before[row * n + column]);
            let got = f64::from(d[row * n + column]);
            ensure((got - expected).abs() < 1e-4, || format!("[{row}, {column}]: {got}, not {expected}"))?;
        }
    }
    Ok(())
}

fn large_sums() -> Outcome {
    let device = gpu()?;
    let stream = Stream::new(device)?;
    let k = 4096;
    // The first half sums to 2048·64·4 = 524288, and the second takes it back but for 3 of each product.
    let x: Vec<f16> = (0..16 * k).map(|i| f16::from_f32(if i % k < k / 2 { 64.0 } else { -64.0 })).collect();
    let w: Vec<f16> = (0..16 * k).map(|i| f16::from_f32(if i % k == k - 1 { 3.0 } else { 4.0 })).collect();
    let linear = Linear::<f16>::new(&Handle::new(device)?, &LinearSpec::new(16, 16, k))?;
    let mut y = DeviceBuffer::filled(&stream, 16 * 16, POISON)?;
    let (x, w) = (DeviceBuffer::from_slice(&stream, &x)?, DeviceBuffer::from_slice(&stream, &w)?);
    linear.executor(&stream)?.run(&x, &w, None, &mut y)?;
    let y = y.to_vec(&stream)?;
    ensure(y.iter().all(|value| f32::from(*value) == 64.0), || format!("{:?}, not 64 everywhere", &y[..4]))
}

fn two_streams() -> Outcome {
    let first = ready()?;
    let device = first.stream.device();
    let streams = [first.stream.clone(), Stream::new(device)?];
    let (m, n, _) = READY;
    let first = &first;
    let results: Vec<Result<Vec<bf16>, Stop>> = std::thread::scope(|scope| {
        let threads: Vec<_> = streams
            .iter()
            .map(|stream| {
                scope.spawn(move || -> Result<Vec<bf16>, Stop> {
                    let mut executor = first.linear.executor(stream)?;
                    let mut y = DeviceBuffer::filled(stream, m * n, POISON)?;
                    for _ in 0..200 {
                        executor.run(&first.x, &first.w, Some(first.bias.as_slice()), &mut y)?;
                    }
                    Ok(y.to_vec(stream)?)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("the thread ends")).collect()
    });
    for result in results {
        let y = DeviceBuffer::from_slice(&first.stream, &result?)?;
        let (stream, linear) = (first.stream.clone(), first.linear.clone());
        let executor = linear.executor(&stream)?;
        let copy = |buffer: &DeviceBuffer<bf16>| DeviceBuffer::from_slice(&stream, &buffer.to_vec(&stream)?);
        let (x, w, bias) = (copy(&first.x)?, copy(&first.w)?, copy(&first.bias)?);
        let held = Ready { stream: stream.clone(), linear, executor, x, w, bias, y };
        held.check(&held.bias)?;
    }
    Ok(())
}

fn dropped_while_queued() -> Outcome {
    let device = gpu()?;
    let (m, n, k) = (1024, 1024, 1024);
    let observer = Stream::new(device)?;
    let mut source = Source::new();
    let (x, w): (Vec<f32>, Vec<f32>) = (source.values(m * k, 1.0), source.values(n * k, 1.0));
    let mut y = DeviceBuffer::filled(&observer, m * n, POISON)?;
    observer.synchronize()?;
    {
        let stream = Stream::new(device)?;
        let handle = Handle::new(device)?;
        let linear = Linear::<f32>::new(&handle, &LinearSpec::new(m, n, k))?;
        let mut executor = linear.executor(&stream)?;
        let x = DeviceBuffer::from_slice(&stream, &x)?;
        let w = DeviceBuffer::from_slice(&stream, &w)?;
        for _ in 0..50 {
            executor.run(&x, &w, None, &mut y)?;
        }
        drop(x);
        drop(stream);
        drop(linear);
        drop(handle);
        drop(w);
        drop(executor);
    }
    device.synchronize()?;
    let expected = reference::linear(&LinearLayer {
        m,
        n,
        k,
        x: &x,
        x_stride: k,
        w: &w,
        w_stride: k,
        bias: None,
        activation: reference::Activation::Identity,
    });
    let comparison = expected.compare(&y.to_vec(&observer)?, n, Arithmetic::F32);
    ensure(comparison.passes(1e-5), || comparison.to_string())
}

fn empty() -> Outcome {
    let device = gpu()?;
    let stream = Stream::new(device)?;
    let handle = Handle::new(device)?;
    for (m, n) in [(0, 16), (16, 0)] {
        let linear = Linear::<f32>::new(&handle, &LinearSpec::new(m, n, 8).bias())?;
        let mut y = DeviceBuffer::uninitialized(device, 0)?;
        let x = DeviceBuffer::filled(&stream, m * 8, 0)?;
        let w = DeviceBuffer::filled(&stream, n * 8, 0)?;
        let bias = DeviceBuffer::filled(&stream, n, 0)?;
        linear.executor(&stream)?.run(&x, &w, Some(bias.as_slice()), &mut y)?;
    }
    let error = Linear::<f32>::new(&handle, &LinearSpec::new(4, 4, 0)).err().map(|error| error.to_string());
    ensure(error.is_some_and(|text| text.contains("k is 0")), || "k = 0 should be refused by name".into())
}

fn repeatable() -> Outcome {
    let mut ready = ready()?;
    let mut seen: Option<Vec<u16>> = None;
    for _ in 0..10 {
        ready.executor.run(&ready.x, &ready.w, Some(ready.bias.as_slice()), &mut ready.y)?;
        let bits: Vec<u16> = ready.y.to_vec(&ready.stream)?.iter().map(|value| value.to_bits()).collect();
        ensure(seen.as_ref().is_none_or(|seen| *seen == bits), || "the bits differ from run to run".into())?;
        seen = Some(bits);
    }
    Ok(())
}
