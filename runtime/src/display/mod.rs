//! Arrays as text: a line with element type and shape, then the values laid out as NumPy's `str` does.
//!
//! Columns are aligned, lines wrap at 75 characters, and an array of more than 1000 elements shows three at either end of each
//! dimension, so the text is short however large the array is. Cost is that of the elements shown.

mod number;

use std::fmt;

use crate::Array;
use number::Column;

/// Characters a line may have before it wraps.
const LINE_WIDTH: usize = 75;
/// Arrays of more elements than this are elided.
const ELIDE_ABOVE: usize = 1000;
/// Elements shown at either end of an elided dimension.
const EDGE_ITEMS: usize = 3;
/// Arrays of higher rank, which NumPy does not have, are printed as their shape only.
const MAX_RANK: usize = 64;

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.describe())?;
        if self.shape().len() > MAX_RANK {
            return Ok(());
        }
        let layout = Layout::new(self);
        let mut text = String::new();
        if self.element_count() == 0 {
            text.push_str("[]");
        } else {
            layout.write(&mut text, 0, 0, LINE_WIDTH);
        }
        if self.shape().is_empty() && text.ends_with('.') {
            text.push('0'); // NumPy writes a single number as Python does
        }
        write!(f, "\n{text}")
    }
}

/// How one array is laid out.
struct Layout<'a> {
    array: &'a Array,
    /// Elements from one index of each dimension to the next.
    strides: Vec<usize>,
    elide: bool,
    column: Column,
}

impl<'a> Layout<'a> {
    fn new(array: &'a Array) -> Self {
        let shape = array.shape();
        let mut strides = vec![1; shape.len()];
        for axis in (1..shape.len()).rev() {
            // Saturating: the strides of an empty array are never used and may overflow.
            strides[axis - 1] = usize::saturating_mul(strides[axis], shape[axis]);
        }
        let elide = array.element_count() > ELIDE_ABOVE;
        let mut layout = Self { array, strides, elide, column: Column::default() };
        let mut shown = Vec::new();
        if array.element_count() > 0 {
            layout.collect(&mut shown, 0, 0);
        }
        layout.column = Column::fit(array.dtype(), &shown);
        layout
    }

    /// The indices of `axis` that are shown; `None` stands for the ones left out.
    fn shown(&self, axis: usize) -> impl Iterator<Item = Option<usize>> {
        let extent = self.array.shape()[axis];
        let elided = self.elide && extent > 2 * EDGE_ITEMS;
        let head = if elided { EDGE_ITEMS } else { extent };
        let tail = if elided { extent - EDGE_ITEMS } else { extent };
        (0..head).map(Some).chain(elided.then_some(None)).chain((tail..extent).map(Some))
    }

    /// Appends the bytes of every shown element under `offset`. Depth is the rank, at most [`MAX_RANK`].
    fn collect(&self, shown: &mut Vec<&'a [u8]>, axis: usize, offset: usize) {
        if axis == self.strides.len() {
            shown.push(element(self.array, offset));
            return;
        }
        for index in self.shown(axis).flatten() {
            self.collect(shown, axis + 1, offset + index * self.strides[axis]);
        }
    }

    /// Writes the part of the array under `offset`, which starts at column `axis`; its closing bracket must end before `width`.
    fn write(&self, text: &mut String, axis: usize, offset: usize, width: usize) {
        let rank = self.strides.len();
        if axis == rank {
            text.push_str(&self.column.format(self.array.dtype(), element(self.array, offset)));
            return;
        }
        let indent = " ".repeat(axis + 1);
        text.push('[');
        if axis + 1 == rank {
            self.write_row(text, &indent, axis, offset, width - 1);
        } else {
            // Each dimension further out is set apart by one more line.
            let separator = format!("{}{indent}", "\n".repeat(rank - axis - 1));
            for (i, index) in self.shown(axis).enumerate() {
                if i > 0 {
                    text.push_str(&separator);
                }
                match index {
                    Some(index) => {
                        self.write(text, axis + 1, offset + index * self.strides[axis], width - 1);
                    }
                    None => text.push_str("..."),
                }
            }
        }
        text.push(']');
    }

    /// Writes the innermost dimension, wrapped to `width` characters a line.
    fn write_row(&self, text: &mut String, indent: &str, axis: usize, offset: usize, width: usize) {
        let mut column = indent.len();
        for (i, index) in self.shown(axis).enumerate() {
            let word = index.map_or_else(
                || "...".to_owned(),
                |index| self.column.format(self.array.dtype(), element(self.array, offset + index)),
            );
            let separator = usize::from(i > 0);
            if i > 0 && column + separator + word.len() > width {
                text.push('\n');
                text.push_str(indent);
                column = indent.len();
            } else if i > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(&word);
            column += word.len();
        }
    }
}

/// The bytes of one element.
fn element(array: &Array, index: usize) -> &[u8] {
    let size = array.dtype().size();
    &array.bytes()[index * size..(index + 1) * size]
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;
    use crate::{DType, Element};

    // Every expected text below, after its first line, is what `str` gives in NumPy 2.4.

    fn print<T: Element>(shape: &[usize], values: &[T]) -> String {
        Array::from_slice(shape, values).unwrap().to_string()
    }

    #[test]
    fn fixed_point_columns_align() {
        assert_eq!(
            print(&[2, 3], &[0.5_f32, 10.25, -3.0, 0.1, 0.0, 7.125]),
            "float32 [2x3]\n[[ 0.5   10.25  -3.   ]\n [ 0.1    0.     7.125]]"
        );
        assert_eq!(print(&[2], &[0.1_f64 + 0.2, 1.0 / 3.0]), "float64 [2]\n[0.3        0.33333333]");
    }

    #[test]
    fn wide_ranges_use_exponents() {
        assert_eq!(print(&[3], &[1e-5_f32, 2.5, 0.0]), "float32 [3]\n[1.0e-05 2.5e+00 0.0e+00]");
        assert_eq!(print(&[2], &[1e300_f64, -1e-300]), "float64 [2]\n[ 1.e+300 -1.e-300]");
    }

    #[test]
    fn special_values() {
        assert_eq!(
            print(&[4], &[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0]),
            "float32 [4]\n[ nan  inf -inf  -0.]"
        );
        assert_eq!(print(&[2], &[f32::NAN, 1.5]), "float32 [2]\n[nan 1.5]");
    }

    #[test]
    fn half_precision_is_shortest_for_its_own_type() {
        let values = [0.1, 0.333, 65504.0].map(f16::from_f32);
        assert_eq!(print(&[1], &values[..1]), "float16 [1]\n[0.1]");
        assert_eq!(print(&[2], &values[..2]), "float16 [2]\n[0.1   0.333]");
        assert_eq!(print(&[1], &values[2..]), "float16 [1]\n[6.55e+04]");
        assert_eq!(print(&[1], &[bf16::from_f32(0.1)]), "bfloat16 [1]\n[0.1]");
        let bytes = Array::from_bytes(DType::F8E5M2, &[4], &[0x3e, 0xbc, 0x7c, 0x7f]).unwrap();
        assert_eq!(bytes.to_string(), "float8_e5m2 [4]\n[ 1.5 -1.   inf  nan]");
    }

    #[test]
    fn integers_and_bools() {
        assert_eq!(print(&[3], &[1_i32, -20, 300]), "int32 [3]\n[  1 -20 300]");
        assert_eq!(print(&[1], &[u64::MAX]), "uint64 [1]\n[18446744073709551615]");
        let bools = Array::from_bytes(DType::Bool, &[2], &[1, 0]).unwrap();
        assert_eq!(bools.to_string(), "bool [2]\n[ True False]");
    }

    #[test]
    fn scalar_and_empty() {
        assert_eq!(print(&[], &[2.5_f32]), "float32 []\n2.5");
        assert_eq!(print::<f32>(&[0, 3], &[]), "float32 [0x3]\n[]");
    }

    #[test]
    fn outer_dimensions_are_set_apart() {
        assert_eq!(
            print(&[2, 2, 2], &[1_u8, 2, 3, 4, 5, 6, 7, 8]),
            "uint8 [2x2x2]\n[[[1 2]\n  [3 4]]\n\n [[5 6]\n  [7 8]]]"
        );
    }

    #[test]
    fn long_rows_wrap() {
        let values: Vec<i64> = (0..30).map(|i| i * 1000).collect();
        assert_eq!(
            print(&[30], &values),
            "int64 [30]\n\
             [    0  1000  2000  3000  4000  5000  6000  7000  8000  9000 10000 11000\n \
             12000 13000 14000 15000 16000 17000 18000 19000 20000 21000 22000 23000\n \
             24000 25000 26000 27000 28000 29000]"
        );
    }

    #[test]
    fn large_arrays_are_elided() {
        let values: Vec<i32> = (0..1600).collect();
        assert_eq!(
            print(&[40, 40], &values),
            "int32 [40x40]\n\
             [[   0    1    2 ...   37   38   39]\n \
             [  40   41   42 ...   77   78   79]\n \
             [  80   81   82 ...  117  118  119]\n \
             ...\n \
             [1480 1481 1482 ... 1517 1518 1519]\n \
             [1520 1521 1522 ... 1557 1558 1559]\n \
             [1560 1561 1562 ... 1597 1598 1599]]"
        );
    }
}
