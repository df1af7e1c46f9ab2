//! ONNX models as programs: the file, those beside it with weights, and inputs that are bound.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use dl_ir::location::TextMemory;
use dl_ir::{Arena, Context, Diagnostics};
use dl_onnx::{Element, Literal};
use dl_runtime::{ArgType, Array, DType};
use dl_tools_support::{files, messages};

use crate::run::input::Input;

/// Whether a file is a model, by its name.
pub(crate) fn is_model(input: &str) -> bool {
    Path::new(input).extension().is_some_and(|extension| extension == "onnx")
}

/// An input that is a constant: `NAME=@FILE` or `NAME=VALUE`.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    name: String,
    value: Input,
}

impl FromStr for Binding {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or("expected 'NAME=VALUE'")?;
        let Ok(value) = value.parse();
        Ok(Self { name: name.to_owned(), value })
    }
}

/// A model and what it is imported with.
pub struct Model {
    name: String,
    bytes: Bytes,
    /// What holds the bytes, where it can be given back while they are read.
    memory: Option<Arc<dyn TextMemory>>,
    folder: PathBuf,
    bindings: Vec<(String, Literal)>,
}

impl Model {
    /// Opens the file; `-` is standard input.
    ///
    /// # Errors
    /// That the file, or one with a bound value, cannot be read.
    pub(crate) fn open(input: &str, bindings: &[Binding]) -> Result<Self, Diagnostics> {
        let file = files::open(input).map_err(messages::error)?;
        let mut bound = Vec::with_capacity(bindings.len());
        for Binding { name, value } in bindings {
            let literal = value.read(&ArgType::Scalar(DType::I64)).and_then(|array| literal(&array));
            bound.push((name.clone(), literal.map_err(|why| messages::error(format!("'{name}': {why}")))?));
        }
        let folder = Path::new(input).parent().filter(|folder| !folder.as_os_str().is_empty());
        let model = Self::of(&file.name, file.text, folder.unwrap_or(Path::new(".")), bound);
        Ok(Self { memory: file.memory, ..model })
    }

    /// The model in `bytes`, called `name` in messages, which may have weights in files in `folder`; `bindings` are inputs that are constants instead.
    pub fn of(name: &str, bytes: Bytes, folder: &Path, bindings: Vec<(String, Literal)>) -> Self {
        Self { name: name.to_owned(), bytes, memory: None, folder: folder.to_owned(), bindings }
    }

    /// The program. The weights in it are where they are in files, which need not be in memory.
    ///
    /// # Errors
    /// All that is wrong with the model.
    pub(crate) fn import(&self, cx: &Context) -> Result<Box<Arena>, Diagnostics> {
        let open = |path: &str| {
            let file = self.external(path)?;
            Ok(constants_in(cx, file.text, file.memory))
        };
        let options = dl_onnx::Options { external: Some(&open), bindings: self.bindings.clone() };
        let bytes = constants_in(cx, self.bytes.clone(), self.memory.clone());
        let module = dl_onnx::import(cx, &self.name, bytes, &options);
        cx.give_back_all();
        module
    }

    /// A file in the folder of the model; one that a link leads out of it is none.
    fn external(&self, path: &str) -> Result<files::Input, String> {
        let canonical = |path: &Path| std::fs::canonicalize(path).map_err(|error| files::reason(&error));
        let full = canonical(&self.folder.join(path)).map_err(|why| format!("cannot open '{path}': {why}"))?;
        if !full.starts_with(canonical(&self.folder)?) {
            return Err(format!("'{path}' is not in the folder of the model"));
        }
        let full = full.to_str().ok_or_else(|| format!("cannot open '{path}': its name is no text"))?;
        files::open(full)
    }
}

/// The content of a file, of which the context gives back what is in memory.
fn constants_in(cx: &Context, content: Bytes, memory: Option<Arc<dyn TextMemory>>) -> Bytes {
    if let Some(memory) = memory {
        cx.add_constants_in(content.clone(), memory);
    }
    content
}

/// Element types of models and of arrays.
const ELEMENTS: [(Element, DType); 17] = [
    (Element::Bool, DType::Bool),
    (Element::I8, DType::I8),
    (Element::I16, DType::I16),
    (Element::I32, DType::I32),
    (Element::I64, DType::I64),
    (Element::U8, DType::U8),
    (Element::U16, DType::U16),
    (Element::U32, DType::U32),
    (Element::U64, DType::U64),
    (Element::F8E4M3FN, DType::F8E4M3FN),
    (Element::F8E4M3FNUZ, DType::F8E4M3FNUZ),
    (Element::F8E5M2, DType::F8E5M2),
    (Element::F8E5M2FNUZ, DType::F8E5M2FNUZ),
    (Element::F16, DType::F16),
    (Element::BF16, DType::BF16),
    (Element::F32, DType::F32),
    (Element::F64, DType::F64),
];

/// An array as a constant of a model.
fn literal(array: &Array) -> Result<Literal, String> {
    let found = ELEMENTS.iter().find(|(_, dtype)| *dtype == array.dtype());
    let &(element, _) = found.ok_or_else(|| format!("unsupported: elements of type {}", array.dtype()))?;
    let shape = array.shape().iter().map(|&extent| extent as i64).collect();
    Literal::new(element, shape, other_order(array.bytes(), array.dtype()).into())
}

/// A constant of a model as an array.
///
/// # Errors
/// Never for a constant that is sound.
pub fn array(literal: &Literal) -> Result<Array, String> {
    let found = ELEMENTS.iter().find(|(element, _)| *element == literal.element.stored());
    let &(_, dtype) = found.ok_or_else(|| format!("unsupported: elements of type {}", literal.element.name()))?;
    let shape: Vec<usize> = literal.shape.iter().map(|&extent| extent as usize).collect();
    Array::from_bytes(dtype, &shape, &other_order(literal.bytes(), dtype)).map_err(|error| error.to_string())
}

/// Elements between the order of bytes of this machine and that of models, which is little endian.
fn other_order(bytes: &[u8], dtype: DType) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(dtype.size()).for_each(<[u8]>::reverse);
    }
    bytes
}
