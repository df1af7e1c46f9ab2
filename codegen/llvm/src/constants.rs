//! Constants that a module declares and does not hold: the weights of a model.
//!
//! As text, and as initializers, they would be copied and hashed again and again by what never looks at them. Code that runs in this process
//! reads them where they lie; a file of code gets them at the very end.

#![expect(unsafe_code, reason = "deletes a declaration once nothing refers to it")]

use bytes::Bytes;
use inkwell::module::{Linkage, Module};
use inkwell::targets::{ByteOrdering, TargetMachine};

use crate::aligned::Aligned;
use crate::error::{Error, Result};

/// A constant array that a module declares as an external global.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Name of the global.
    pub name: String,
    /// Its elements, little endian.
    pub bytes: Bytes,
    /// Bytes of one element.
    pub element: usize,
    /// The alignment that the code counts on, a power of two.
    pub alignment: usize,
}

impl Constant {
    /// Replaces the declaration by a definition that only this module sees.
    ///
    /// The definition is one of bytes: LLVM writes those at once, numbers one by one.
    ///
    /// # Errors
    /// That the module does not declare it.
    fn define(&self, module: &Module<'static>, big_endian: bool) -> Result<()> {
        let missing = || Error::Llvm(format!("constant '{}' is not declared", self.name));
        let declared = module.get_global(&self.name).ok_or_else(missing)?;
        let context = module.get_context();
        let value = if big_endian && self.element > 1 {
            let mut bytes = self.bytes.to_vec();
            bytes.chunks_exact_mut(self.element).for_each(<[u8]>::reverse);
            context.const_string(&bytes, false)
        } else {
            context.const_string(&self.bytes, false)
        };
        let defined = module.add_global(value.get_type(), None, "");
        defined.set_initializer(&value);
        defined.set_constant(true);
        defined.set_linkage(Linkage::Private);
        defined.set_alignment(u32::try_from(self.alignment).unwrap_or(1));
        declared.as_pointer_value().replace_all_uses_with(defined.as_pointer_value());
        // SAFETY: nothing refers to the declaration any more, and this is the only handle to it.
        unsafe { declared.delete() };
        defined.set_name(&self.name);
        Ok(())
    }
}

/// Gives a module that declares them these constants.
pub(crate) fn define(constants: &[Constant], module: &Module<'static>, machine: &TargetMachine) -> Result<()> {
    let big_endian = matches!(machine.get_target_data().get_byte_ordering(), ByteOrdering::BigEndian);
    constants.iter().try_for_each(|constant| constant.define(module, big_endian))
}

/// Constants at addresses of this process.
#[derive(Debug)]
pub(crate) struct Placed {
    constants: Vec<(String, Place)>,
}

/// Where the bytes of a constant are.
#[derive(Debug)]
enum Place {
    /// Where they were, as they are aligned there.
    Shared(Bytes),
    /// Copied.
    Copied(Aligned),
}

impl Placed {
    /// Each constant where it is, if it is aligned there, else a copy.
    pub(crate) fn new(constants: Vec<Constant>) -> Self {
        let place = |constant: Constant| {
            let Constant { name, bytes, alignment, .. } = constant;
            let is_aligned = bytes.as_ptr().addr().is_multiple_of(alignment);
            let place = if is_aligned { Place::Shared(bytes) } else { Place::Copied(Aligned::new(&bytes, alignment)) };
            (name, place)
        };
        Self { constants: constants.into_iter().map(place).collect() }
    }

    /// Names and addresses, which are valid as long as `self`.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = (&str, usize)> {
        self.constants.iter().map(|(name, place)| {
            let bytes: &[u8] = match place {
                Place::Shared(bytes) => bytes,
                Place::Copied(copy) => copy.bytes(),
            };
            (name.as_str(), bytes.as_ptr().expose_provenance())
        })
    }
}
