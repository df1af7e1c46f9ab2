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
#[derive(Clone)]
pub(crate) struct Case {
    /// What it is one of.
    pub(crate) suite: String,
    pub(crate) name: String,
    pub(crate) root: PathBuf,
}

/// All tests of a folder, sorted by name.
pub(crate) fn all(suite: &str, folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).map_or_else(|_| Vec::new(), |entries| entries.filter_map(Result::ok).collect());
    let mut cases: Vec<Case> = entries
        .into_iter()
        .map(|entry| Case { suite: suite.to_owned(), ..Case::of(&entry.path()) })
        .filter(|case| case.model().is_file())
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

impl Case {
    /// The test in this folder, of no suite.
    pub(crate) fn of(root: &Path) -> Self {
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { suite: String::new(), name, root: root.to_owned() }
    }

    /// The file of the model.
    pub(crate) fn model(&self) -> PathBuf {
        self.root.join("model.onnx")
    }

    /// The inputs in order: name and value.
    pub(crate) fn inputs(&self) -> Result<Vec<(String, Literal)>, String> {
        let mut inputs = self.tensors("input")?;
        // Some files do not say the name.
        let names = dl_onnx::input_names(self.bytes())?;
        for ((name, _), of_graph) in inputs.iter_mut().zip(names) {
            if name.is_empty() {
                *name = of_graph;
            }
        }
        Ok(inputs)
    }

    /// The expected outputs in order.
    pub(crate) fn outputs(&self) -> Result<Vec<(String, Literal)>, String> {
        self.tensors("output")
    }

    fn tensors(&self, kind: &str) -> Result<Vec<(String, Literal)>, String> {
        (0..)
            .map(|at| self.root.join(format!("test_data_set_0/{kind}_{at}.pb")))
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
        dl_onnx::used_operators(self.bytes()).unwrap_or_default()
    }

    /// The content of the file of the model.
    pub(crate) fn bytes(&self) -> Bytes {
        fs::read(self.model()).unwrap_or_default().into()
    }
}
