//! One test: its model, its inputs, and what is expected.

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use dl_onnx::Literal;

/// What came of a test.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Pass,
    /// Something is not supported, which the importer said.
    Unsupported(String),
    Fail(String),
}

/// A folder of the test data.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) model: PathBuf,
}

/// All tests of a folder, sorted by name.
pub(crate) fn all(folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).map_or_else(|_| Vec::new(), |entries| entries.filter_map(Result::ok).collect());
    let mut cases: Vec<Case> = entries
        .into_iter()
        .map(|entry| entry.path())
        .filter(|path| path.join("model.onnx").is_file())
        .map(|path| Case {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            folder: path.join("test_data_set_0"),
            model: path.join("model.onnx"),
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

impl Case {
    pub(crate) fn model(&self) -> Bytes {
        fs::read(&self.model).unwrap_or_default().into()
    }

    /// The inputs in order: name and value.
    pub(crate) fn inputs(&self) -> Result<Vec<(String, Literal)>, String> {
        self.tensors("input")
    }

    /// The expected outputs in order.
    pub(crate) fn outputs(&self) -> Result<Vec<(String, Literal)>, String> {
        self.tensors("output")
    }

    fn tensors(&self, kind: &str) -> Result<Vec<(String, Literal)>, String> {
        (0..)
            .map(|at| self.folder.join(format!("{kind}_{at}.pb")))
            .take_while(|path| path.is_file())
            .map(|path| dl_onnx::read_tensor(fs::read(path).unwrap_or_default().into()))
            .collect()
    }

    /// The inputs that may decide shapes: short lists and scalars, not the first input.
    pub(crate) fn bindable(&self) -> Vec<usize> {
        let inputs = self.inputs().unwrap_or_default();
        let is_short = |(at, (_, literal)): &(usize, &(String, Literal))| {
            *at > 0 && literal.shape.len() <= 1 && literal.len() <= 64
        };
        inputs.iter().enumerate().filter(is_short).map(|(at, _)| at).collect()
    }

    /// The operators of the model: domain and name, those of functions not among them.
    pub(crate) fn operators(&self) -> Vec<String> {
        dl_onnx::used_operators(self.model()).unwrap_or_default()
    }
}
