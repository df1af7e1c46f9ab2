//! Rows of five numbers in, a row of four probabilities out for each: the model as a function of a Rust program.

use std::ffi::c_void;
use std::io::Read;

/// `dl_tensor` of the header.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    owner: *mut c_void,
    capacity: i64,
    shape: [i64; 8],
    rank: i32,
    dtype: i32,
}

/// `DL_F32` of the header.
const F32: i32 = 1;
const COLUMNS: usize = 5;
const CLASSES: usize = 4;

unsafe extern "C" {
    fn mlp(inputs: *const Tensor, outputs: *mut Tensor) -> i32;
}

/// A matrix in a slice, for the time of a call.
fn matrix(elements: &mut [f32], rows: usize, columns: usize) -> Tensor {
    let mut shape = [0; 8];
    (shape[0], shape[1]) = (rows as i64, columns as i64);
    let capacity = size_of_val(elements) as i64;
    Tensor { data: elements.as_mut_ptr().cast(), owner: std::ptr::null_mut(), capacity, shape, rank: 2, dtype: F32 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut numbers: Vec<f32> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let count = numbers.len();
    // What does not fill rows is one row of another length, which the function refuses.
    let (rows, columns) = if count % COLUMNS == 0 { (count / COLUMNS, COLUMNS) } else { (1, count) };
    let mut result = vec![0.0; rows * CLASSES];
    let (input, mut output) = (matrix(&mut numbers, rows, columns), matrix(&mut result, rows, CLASSES));
    // SAFETY: the model has one input and one output, and both tensors describe slices that outlive the call.
    let error = unsafe { mlp(&raw const input, &raw mut output) };
    if error != 0 {
        eprintln!("error {} at tensor {}", error & 0xff, error >> 8);
        std::process::exit(1);
    }
    for row in result.chunks(CLASSES) {
        println!("{}", row.iter().map(f32::to_string).collect::<Vec<_>>().join(" "));
    }
    Ok(())
}
