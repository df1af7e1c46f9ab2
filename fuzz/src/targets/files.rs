//! The targets `onnx` and `npy`: files that programs are fed with, which come from anywhere.

use bytes::Bytes;
use dl_ir::verify;
use dl_runtime::{Array, DType};

use super::{Checked, Finding, rejection};
use crate::Lab;

/// A model becomes a program that verifies, or is rejected. No file beside it is opened. What is done with it besides must not do harm.
pub(super) fn onnx(lab: &mut Lab, input: &[u8]) -> Checked {
    let (bench, _) = lab.bench(input);
    let cx = &bench.cx;
    let model = Bytes::copy_from_slice(input);
    let _ = (dl_onnx::used_operators(model.clone()), dl_onnx::input_names(model.clone()));
    if let Ok((_, literal)) = dl_onnx::read_tensor(model.clone())
        && literal.bytes().len() > input.len()
    {
        return Err(Finding::new("a tensor is larger than its file", format!("{} bytes", literal.bytes().len())));
    }
    match dl_onnx::import(cx, "model.onnx", model, &dl_onnx::Options::default()) {
        Ok(module) => match verify::verify(cx, &module) {
            Ok(()) => Ok(()),
            Err(errors) => {
                let why = rejection(cx, "the verifier", &errors)?;
                Err(Finding::new("what is imported does not verify", why))
            }
        },
        Err(errors) => rejection(cx, "the importer", &errors).map(|_| ()),
    }
}

/// An array is read or rejected. It takes no more than its file, and comes back as it was when it is written.
pub(super) fn npy(_: &mut Lab, input: &[u8]) -> Checked {
    let Ok(array) = Array::from_npy(input) else { return Ok(()) };
    if array.bytes().len() > input.len() {
        return Err(Finding::new("an array is larger than its file", format!("{} bytes", array.bytes().len())));
    }
    // NumPy does not read floats of 8 bits, which are therefore written as raw bytes.
    let dtype = if array.dtype() == DType::F8E5M2 { DType::U8 } else { array.dtype() };
    match Array::from_npy(&array.to_npy()) {
        Ok(again) if (again.dtype(), again.shape(), again.bytes()) == (dtype, array.shape(), array.bytes()) => Ok(()),
        Ok(again) => {
            Err(Finding::new("what is read back differs", format!("{}: {}", array.describe(), again.describe())))
        }
        Err(error) => Err(Finding::new("what was written is rejected", error.to_string())),
    }
}
