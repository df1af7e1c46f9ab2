//! C headers for programs with a C function, and C names.

use std::fmt::Write as _;
use std::path::Path;

use dl_runtime::c_interface::{MAX_RANK, Status, dtype_code};
use dl_runtime::{ArgType, DType};

use crate::run::signature::Entry;

/// A name that C takes as one of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CName(String);

impl CName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of a file without what follows its first dot, with `_` for what cannot stand in a name.
    pub(crate) fn of_file(file: &str) -> Self {
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || RESERVED.contains(&&name[..]) {
            name.insert_str(0, "model_");
        }
        Self(name)
    }
}

/// Names that a program has already, or that C keeps for itself.
const RESERVED: [&str; 9] = ["main", "malloc", "free", "memcpy", "int", "float", "double", "void", "static"];

impl std::str::FromStr for CName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_name = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !RESERVED.contains(&text);
        is_name.then(|| Self(text.to_owned())).ok_or("expected a name that C takes for a function")
    }
}

/// Element types by their names in headers.
const DTYPES: [(&str, DType); 17] = [
    ("DL_F32", DType::F32),
    ("DL_U8", DType::U8),
    ("DL_I8", DType::I8),
    ("DL_U16", DType::U16),
    ("DL_I16", DType::I16),
    ("DL_I32", DType::I32),
    ("DL_I64", DType::I64),
    ("DL_BOOL", DType::Bool),
    ("DL_F16", DType::F16),
    ("DL_F64", DType::F64),
    ("DL_U32", DType::U32),
    ("DL_U64", DType::U64),
    ("DL_BF16", DType::BF16),
    ("DL_F8E4M3FN", DType::F8E4M3FN),
    ("DL_F8E4M3FNUZ", DType::F8E4M3FNUZ),
    ("DL_F8E5M2", DType::F8E5M2),
    ("DL_F8E5M2FNUZ", DType::F8E5M2FNUZ),
];

/// Errors by their names in headers, and what they mean.
const ERRORS: [(&str, Status, &str); 6] = [
    ("DL_ERROR_DTYPE", Status::DType, "an input has elements of another type"),
    ("DL_ERROR_RANK", Status::Rank, "an input has another number of dimensions"),
    ("DL_ERROR_SHAPE", Status::Shape, "an input has another extent, or a negative one"),
    ("DL_ERROR_NULL", Status::Null, "an input has no data"),
    ("DL_ERROR_CAPACITY", Status::Capacity, "the buffer for an output is too small"),
    ("DL_ERROR_MEMORY", Status::Memory, "there is no memory"),
];

/// The header of function `name`, which calls `entry`.
pub(crate) fn text(name: &CName, entry: &Entry) -> String {
    let (name, upper) = (name.as_str(), name.as_str().to_ascii_uppercase());
    let mut text = format!(
        "/* Written by dl-translate. */\n\
         #ifndef {upper}_H\n#define {upper}_H\n\n\
         #include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{}",
        common()
    );
    let signature = &entry.signature;
    for (kind, types, names) in
        [("INPUT", &signature.inputs, &entry.inputs), ("OUTPUT", &signature.results, &entry.results)]
    {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#define {upper}_{kind}S {}", types.len());
        for (number, ty) in types.iter().enumerate() {
            let port = format!("{upper}_{kind}_{number}");
            let called = names.get(number).map_or("", |name| name);
            let dtype = DTYPES.iter().find(|(_, dtype)| *dtype == ty.dtype()).map_or("", |(name, _)| name);
            let extents: Vec<String> = match ty {
                ArgType::MemRef { shape, .. } => shape
                    .iter()
                    .map(|extent| extent.map_or("DL_DYNAMIC".to_owned(), |extent| extent.to_string()))
                    .collect(),
                ArgType::Scalar(_) => Vec::new(),
            };
            // C has no empty initializer.
            let shape = if extents.is_empty() { "0".to_owned() } else { extents.join(", ") };
            let _ = writeln!(
                text,
                "#define {port}_NAME {}\n#define {port}_DTYPE {dtype}\n#define {port}_RANK {}\n#define {port}_SHAPE {{{shape}}}",
                quoted(called),
                extents.len()
            );
        }
        text.push('\n');
    }
    let _ = write!(
        text,
        "/* Calls the program. 0, or an error; each output is as described at dl_tensor. May be called from several threads at once. */\n\
         int32_t {name}(const dl_tensor *inputs, dl_tensor *outputs);\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n#endif\n"
    );
    text
}

/// What all headers have in common.
fn common() -> String {
    let dtypes: Vec<String> = DTYPES.iter().map(|(name, dtype)| format!("  {name} = {}", dtype_code(*dtype))).collect();
    let errors: Vec<String> =
        ERRORS.iter().map(|(name, error, about)| format!("  {name} = {}, /* {about} */", *error as u8)).collect();
    format!(
        "#ifndef DL_TENSOR\n#define DL_TENSOR\n\n\
         /* Types of elements, numbered as in ONNX. A bool is a byte, 0 or 1. */\n\
         enum {{\n{}\n}};\n\n\
         /* Why a call fails: DL_ERROR_KIND of what it returns. DL_ERROR_INDEX is the number of the input or output. */\n\
         enum {{\n  DL_OK = 0,\n{}\n}};\n\
         #define DL_ERROR_KIND(error) ((error) & 0xff)\n\
         #define DL_ERROR_INDEX(error) ((error) >> 8)\n\n\
         #define DL_MAX_RANK {MAX_RANK}\n\
         #define DL_DYNAMIC (-1)\n\n\
         /* An array, its elements in row-major order.\n \
         * The caller of a function sets data, shape, rank and dtype of inputs. Of outputs it sets data, and capacity where data is not null: then\n \
         * the elements are copied there. Where data is null, the function sets data, and owner, which the caller hands to free() when it no longer\n \
         * needs the elements. The function sets shape, rank and dtype of outputs. */\n\
         typedef struct dl_tensor {{\n  \
           void *data;\n  \
           void *owner;\n  \
           int64_t capacity; /* bytes */\n  \
           int64_t shape[DL_MAX_RANK];\n  \
           int32_t rank;\n  \
           int32_t dtype;\n\
         }} dl_tensor;\n\n\
         #endif\n\n",
        dtypes.join(",\n"),
        errors.join("\n"),
    )
}

/// A text as a C string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => quoted.extend(['\\', byte as char]),
            b' '..=b'~' => quoted.push(byte as char),
            // Three octal digits end by themselves.
            other => quoted.push_str(&format!("\\{other:03o}")),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_become_names_of_functions() {
        let of = |file: &str| CName::of_file(file).0;
        assert_eq!(of("models/mobilenetv2-7.onnx"), "mobilenetv2_7");
        assert_eq!(of("7.onnx"), "model_7");
        assert_eq!(of("main.onnx"), "model_main");
        assert_eq!(of("ж.onnx"), "model__");
        assert!("a-b".parse::<CName>().is_err() && "main".parse::<CName>().is_err() && "".parse::<CName>().is_err());
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("a\"\\\n??/ж"), r#""a\"\\\012\?\?/\320\266""#);
    }
}
