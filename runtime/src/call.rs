//! Calls of compiled functions: what an entry is, arguments laid out, results taken back.
//!
//! A back end makes, for each function that is to be called, one of a fixed type ([`PackedFunction`]): a slot is the address of a memref
//! argument's descriptor, of a scalar argument's value, or, last, of the result buffer. It loads what the entry takes, a memref as the
//! members of its descriptor one by one, calls it, and stores what it returns, laid out as [`ResultLayout`] says.
//! `docs/decisions/0002-calling-compiled-functions.md` tells why.

#![expect(unsafe_code, reason = "calls compiled code and reads what it returns")]

use std::ffi::c_void;
use std::fmt;
use std::ptr;

use thiserror::Error;

use crate::descriptor::{self, Returned};
use crate::{ArgType, Array, MismatchError, Signature, alloc};

/// A generated function that takes the slots.
pub type PackedFunction = unsafe extern "C" fn(slots: *const *mut c_void);

/// A function to call, and what it takes and returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// Name of the function.
    pub name: String,
    /// Its type before lowering.
    pub signature: Signature,
}

/// Why a function was not called, or its results are of no use.
#[derive(Debug, Error)]
pub enum CallError {
    /// There is no such function.
    #[error("{0}")]
    Entry(String),
    /// The values passed do not fit the function.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// A function returned what its signature rules out.
    #[error("result {index} of '{entry}': {problem}")]
    Result {
        /// Name of the function.
        entry: String,
        /// Position of the result, from 1.
        index: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl CallError {
    /// An error about the result `index` (from 0) of `entry`.
    fn result(entry: &str, index: usize, problem: impl fmt::Display) -> Self {
        Self::Result { entry: entry.to_owned(), index: index + 1, problem: problem.to_string() }
    }
}

/// Where the results of a call lie in its result buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultLayout {
    /// Byte offset of each result.
    pub offsets: Vec<usize>,
    /// Words of the whole buffer.
    pub words: usize,
}

impl ResultLayout {
    /// The layout of a C struct with these members.
    pub fn of(results: &[ArgType]) -> Self {
        let mut end = 0_usize;
        let offsets = results
            .iter()
            .map(|ty| {
                let (size, alignment) = match ty {
                    ArgType::MemRef { shape, .. } => (descriptor::words(shape.len()) * 8, 8),
                    ArgType::Scalar(dtype) => (dtype.size(), dtype.size()),
                };
                let offset = end.next_multiple_of(alignment);
                end = offset + size;
                offset
            })
            .collect();
        Self { offsets, words: end.div_ceil(8) }
    }
}

/// The message about a function that is not among `names`.
pub fn unknown<S: AsRef<str>>(name: &str, names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => format!("no function '{name}': the module defines none"),
        names => format!("no function '{name}': the module defines {}", names.join(", ")),
    }
}

/// A module compiled into this process, with the functions that can be called.
pub struct CompiledModule {
    entries: Vec<LinkedEntry>,
    /// Owns the code that `entries` point into.
    _code: Box<dyn Send + Sync>,
}

/// An [`EntryPoint`] with its address.
#[derive(Debug)]
struct LinkedEntry {
    entry: EntryPoint,
    results: ResultLayout,
    function: PackedFunction,
}

impl CompiledModule {
    /// The entries with the functions generated for them.
    ///
    /// # Safety
    /// Each function is one of the entry beside it, and can be called as long as `code` lives.
    pub unsafe fn new(entries: Vec<(EntryPoint, PackedFunction)>, code: Box<dyn Send + Sync>) -> Self {
        let link = |(entry, function): (EntryPoint, PackedFunction)| {
            let results = ResultLayout::of(&entry.signature.results);
            LinkedEntry { entry, results, function }
        };
        Self { entries: entries.into_iter().map(link).collect(), _code: code }
    }

    /// The functions that can be called.
    pub fn entries(&self) -> impl Iterator<Item = &EntryPoint> {
        self.entries.iter().map(|linked| &linked.entry)
    }

    /// Calls a function once. A program that writes to its arguments changes `args`.
    ///
    /// # Errors
    /// [`CallError::Entry`] for an unknown name, [`CallError::Mismatch`] for arguments that do not fit, [`CallError::Result`] for results that do
    /// not.
    pub fn run(&self, name: &str, args: &mut [Array]) -> Result<Vec<Array>, CallError> {
        let mut call = self.prepare(name, args)?;
        call.invoke();
        call.results()
    }

    /// Checks and lays out arguments once, for a function that is called many times.
    ///
    /// # Errors
    /// As for [`run`](Self::run), but for results.
    pub fn prepare<'a>(&'a self, name: &str, args: &'a mut [Array]) -> Result<Call<'a>, CallError> {
        let linked = self.find(name)?;
        linked.entry.signature.check_inputs(args, |_| None)?;
        Ok(Call::new(linked, args))
    }

    fn find(&self, name: &str) -> Result<&LinkedEntry, CallError> {
        self.entries.iter().find(|linked| linked.entry.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.entries().map(|entry| entry.name.as_str()).collect();
            CallError::Entry(unknown(name, &names))
        })
    }
}

impl fmt::Debug for CompiledModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompiledModule").field("entries", &self.entries).finish_non_exhaustive()
    }
}

/// A call whose arguments are checked and laid out, to be made any number of times.
///
/// Results that nobody [took](Self::results) are freed at the next [`invoke`](Self::invoke), and with the call.
#[derive(Debug)]
pub struct Call<'a> {
    linked: &'a LinkedEntry,
    /// Keeps the arguments borrowed, since descriptors point into them.
    _args: &'a mut [Array],
    /// Descriptors of the memref arguments.
    _descriptors: Vec<Vec<u64>>,
    /// Where the results go. A `Vec` of words for their alignment.
    results: Vec<u64>,
    /// What the generated function takes.
    slots: Vec<*mut c_void>,
    /// Whether `results` holds what a call returned and nobody took.
    pending: bool,
}

impl<'a> Call<'a> {
    /// Lays out arguments that fit the entry's signature.
    fn new(linked: &'a LinkedEntry, args: &'a mut [Array]) -> Self {
        let mut descriptors = Vec::new();
        let mut slots: Vec<*mut c_void> = Vec::with_capacity(args.len() + 1);
        for (ty, array) in linked.entry.signature.inputs.iter().zip(args.iter_mut()) {
            match ty {
                ArgType::MemRef { .. } => {
                    let mut words = Vec::with_capacity(descriptor::words(array.shape().len()));
                    descriptor::push(&mut words, array);
                    slots.push(words.as_mut_ptr().cast());
                    descriptors.push(words);
                }
                ArgType::Scalar(_) => slots.push(array.bytes_mut().as_mut_ptr().cast()),
            }
        }
        let mut results = vec![0_u64; linked.results.words];
        slots.push(results.as_mut_ptr().cast());
        Self { linked, _args: args, _descriptors: descriptors, results, slots, pending: false }
    }

    /// Runs the compiled function, and nothing else: this is the call to time.
    pub fn invoke(&mut self) {
        self.free_pending();
        // SAFETY: the slots are those that the generated function loads: `new` made them for arguments that fit the signature, and the
        // function's type was checked against the same signature. They stay valid: the arguments are borrowed, the rest is owned.
        unsafe { (self.linked.function)(self.slots.as_ptr()) };
        self.pending = true;
    }

    /// Copies the results of the last [`invoke`](Self::invoke) and frees the buffers that the function returned.
    ///
    /// A buffer is freed once, however many results lie in it, and only if the program allocated it: constants, arguments and views of
    /// them are not the caller's to free.
    ///
    /// # Errors
    /// [`CallError::Result`] when a result is not what the signature says.
    ///
    /// # Panics
    /// If nothing was invoked since results were last taken.
    pub fn results(&mut self) -> Result<Vec<Array>, CallError> {
        assert!(self.pending, "results are taken once for each call");
        let entry = &self.linked.entry;
        let arrays = entry
            .signature
            .results
            .iter()
            .enumerate()
            .map(|(i, ty)| {
                let array = match ty {
                    ArgType::MemRef { dtype, shape } => {
                        let returned = self.returned(i, shape.len());
                        // SAFETY: a compiled function returns descriptors of memory that it filled, of the type that its signature
                        // says, and nothing of it runs now.
                        unsafe { returned.to_array(*dtype) }
                            .map_err(|error| CallError::result(&entry.name, i, error))?
                    }
                    ArgType::Scalar(dtype) => {
                        let offset = self.linked.results.offsets[i];
                        let bytes = &bytes_of(&self.results)[offset..offset + dtype.size()];
                        Array::from_bytes(*dtype, &[], bytes)
                            .map_err(|error| CallError::result(&entry.name, i, error))?
                    }
                };
                if ty.accepts(&array) {
                    Ok(array)
                } else {
                    let problem = format!("expected {ty}, got {}", array.describe());
                    Err(CallError::result(&entry.name, i, problem))
                }
            })
            .collect();
        self.free_pending();
        arrays
    }

    /// The descriptor in the result buffer of result `index`, a memref of this rank.
    fn returned(&self, index: usize, rank: usize) -> Returned {
        let first = self.linked.results.offsets[index] / size_of::<u64>();
        Returned::from_words(&self.results[first..first + descriptor::words(rank)], rank)
    }

    /// Frees what the last call returned, unless that was done.
    fn free_pending(&mut self) {
        if !std::mem::take(&mut self.pending) {
            return;
        }
        for (i, ty) in self.linked.entry.signature.results.iter().enumerate() {
            if let ArgType::MemRef { shape, .. } = ty {
                let allocated = self.returned(i, shape.len()).allocated;
                // SAFETY: the function returned the buffer, so it is the caller's, and its elements are copied or not wanted. Anything
                // but a live buffer of the program's allocator is left alone, a buffer that another result named included.
                unsafe { alloc::release(allocated) };
            }
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.free_pending();
    }
}

/// The bytes of words.
fn bytes_of(words: &[u64]) -> &[u8] {
    let bytes: *const u8 = ptr::from_ref(words).cast();
    // SAFETY: the same memory, of which every byte is initialized.
    unsafe { std::slice::from_raw_parts(bytes, size_of_val(words)) }
}
