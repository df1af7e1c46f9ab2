//! Comparison with what is expected, as the backend tests of ONNX do it.

use dl_onnx::Literal;

use crate::case::Outcome;

const RELATIVE: f64 = 1e-3;
const ABSOLUTE: f64 = 1e-7;

/// One output: its shape, and its elements as those of a literal.
pub(crate) struct Output {
    pub(crate) shape: Vec<i64>,
    pub(crate) bytes: Vec<u8>,
}

/// Whether all outputs are as expected.
pub(crate) fn compare(outputs: Vec<Output>, expected: &[(String, Literal)]) -> Outcome {
    if outputs.len() != expected.len() {
        return Outcome::Fail(format!("{} outputs instead of {}", outputs.len(), expected.len()));
    }
    for (output, (name, expected)) in outputs.into_iter().zip(expected) {
        if output.shape != expected.shape {
            return Outcome::Fail(format!("'{name}' has shape {:?} instead of {:?}", output.shape, expected.shape));
        }
        let output = match Literal::new(expected.element, output.shape, output.bytes.into()) {
            Ok(output) => output,
            Err(why) => return Outcome::Fail(format!("'{name}': {why}")),
        };
        for (at, (got, wanted)) in output.floats().into_iter().zip(expected.floats()).enumerate() {
            if !is_close(got, wanted) {
                return Outcome::Fail(format!("'{name}': element {at} is {got} instead of {wanted}"));
            }
        }
    }
    Outcome::Pass
}

fn is_close(got: f64, wanted: f64) -> bool {
    #[expect(clippy::float_cmp, reason = "infinities are equal or not")]
    let same = got == wanted || got.is_nan() && wanted.is_nan();
    same || wanted.is_finite() && (got - wanted).abs() <= ABSOLUTE + RELATIVE * wanted.abs()
}
