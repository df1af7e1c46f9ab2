//! Mathematical functions under the names of the C library, and division of 128-bit integers under those of compiler-rt.
//!
//! A process need not have a mathematical library that can be searched by name, so a just-in-time linker finds them here. They are those that
//! Rust's own methods call, which are the C library's.

macro_rules! functions {
    ($($single:literal $double:literal ($($arg:ident),+) => $call:expr, $wide:expr;)*) => {
        [$(
            ($single, {
                extern "C" fn function($($arg: f32),+) -> f32 { $call }
                function as extern "C" fn($(functions!(@f32 $arg)),+) -> f32 as usize
            }),
            ($double, {
                extern "C" fn function($($arg: f64),+) -> f64 { $wide }
                function as extern "C" fn($(functions!(@f64 $arg)),+) -> f64 as usize
            }),
        )*]
    };
    (@f32 $arg:ident) => { f32 };
    (@f64 $arg:ident) => { f64 };
}

macro_rules! divisions {
    ($($name:literal $ty:ty, $method:ident;)*) => {
        [$(($name, {
            extern "C" fn function(a: $ty, b: $ty) -> $ty { a.checked_div(b).map_or(0, |_| a.$method(b)) }
            function as extern "C" fn($ty, $ty) -> $ty as usize
        }),)*]
    };
}

/// The functions by the names under which compiled programs know them.
pub(crate) fn symbols() -> impl Iterator<Item = (&'static str, usize)> {
    let floats = functions! {
        "acosf" "acos" (x) => x.acos(), x.acos();
        "asinf" "asin" (x) => x.asin(), x.asin();
        "atanf" "atan" (x) => x.atan(), x.atan();
        "atan2f" "atan2" (y, x) => y.atan2(x), y.atan2(x);
        "ceilf" "ceil" (x) => x.ceil(), x.ceil();
        "cosf" "cos" (x) => x.cos(), x.cos();
        "coshf" "cosh" (x) => x.cosh(), x.cosh();
        "expf" "exp" (x) => x.exp(), x.exp();
        "exp10f" "exp10" (x) => 10_f64.powf(f64::from(x)) as f32, 10_f64.powf(x);
        "exp2f" "exp2" (x) => x.exp2(), x.exp2();
        "floorf" "floor" (x) => x.floor(), x.floor();
        "fmaf" "fma" (x, y, z) => x.mul_add(y, z), x.mul_add(y, z);
        "fmodf" "fmod" (x, y) => x % y, x % y;
        "logf" "log" (x) => x.ln(), x.ln();
        "log10f" "log10" (x) => x.log10(), x.log10();
        "log2f" "log2" (x) => x.log2(), x.log2();
        "nearbyintf" "nearbyint" (x) => x.round_ties_even(), x.round_ties_even();
        "powf" "pow" (x, y) => x.powf(y), x.powf(y);
        "sinf" "sin" (x) => x.sin(), x.sin();
        "sinhf" "sinh" (x) => x.sinh(), x.sinh();
        "tanf" "tan" (x) => x.tan(), x.tan();
        "tanhf" "tanh" (x) => x.tanh(), x.tanh();
        "truncf" "trunc" (x) => x.trunc(), x.trunc();
    };
    let divisions = divisions! {
        "__divti3" i128, wrapping_div;
        "__modti3" i128, wrapping_rem;
        "__udivti3" u128, wrapping_div;
        "__umodti3" u128, wrapping_rem;
    };
    floats.into_iter().chain(divisions)
}

#[cfg(test)]
mod tests {
    use super::symbols;

    #[test]
    fn each_name_is_there_once() {
        let mut names: Vec<&str> = symbols().map(|(name, _)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), names.contains(&"tanhf"), names.contains(&"__umodti3")), (count, true, true));
    }
}
