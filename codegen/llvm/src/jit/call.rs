//! One call of a compiled function: arguments laid out, results taken back.

#![expect(unsafe_code, reason = "calls compiled code and reads what it returns")]

use std::{ffi::c_void, ptr};

use dl_runtime::{
    ArgType, Array, alloc,
    descriptor::{self, Returned},
};

use super::LinkedEntry;
use crate::error::{Error, Result};

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
    pub(super) fn new(linked: &'a LinkedEntry, args: &'a mut [Array]) -> Self {
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
    /// [`Error::Result`] when a result is not what the signature says.
    ///
    /// # Panics
    /// If nothing was invoked since results were last taken.
    pub fn results(&mut self) -> Result<Vec<Array>> {
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
                        unsafe { returned.to_array(*dtype) }.map_err(|error| Error::result(&entry.name, i, error))?
                    }
                    ArgType::Scalar(dtype) => {
                        let offset = self.linked.results.offsets[i];
                        let bytes = &bytes_of(&self.results)[offset..offset + dtype.size()];
                        Array::from_bytes(*dtype, &[], bytes).map_err(|error| Error::result(&entry.name, i, error))?
                    }
                };
                if ty.accepts(&array) {
                    Ok(array)
                } else {
                    let problem = format!("expected {ty}, got {}", array.describe());
                    Err(Error::result(&entry.name, i, problem))
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
