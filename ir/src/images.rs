//! Interfaces of operations, as code of several images attaches and asks for them: the tool, and the plugins that it has loaded.
//!
//! Each image has its own copy of this crate. The compiler gives one trait different [`TypeId`]s in such copies, so between images
//! a trait is known by its full name. That it then has the same methods in the same order is what the loader of plugins has made
//! sure of, for the crates of this project: it loads only what was compiled from the same sources by the same compiler.

use std::any::{Any, TypeId, type_name};

/// The image that calls this: the address of something that each has once.
fn this_image() -> usize {
    static HERE: u8 = 0;
    (&raw const HERE).addr()
}

/// Implementations of interfaces, one for each. An operation has none, or a few: they are searched one by one.
#[derive(Default)]
pub(crate) struct Interfaces {
    entries: Vec<Entry>,
    /// The image that all entries come from; 0 where there are several or none.
    image: usize,
}

struct Entry {
    interface: TypeId,
    image: usize,
    /// Full name of the interface.
    name: &'static str,
    /// A `Box<I>`.
    implementation: Box<dyn Any + Send + Sync>,
}

impl Interfaces {
    /// Sets the implementation of `I`, a `dyn Trait` type.
    pub(crate) fn insert<I: ?Sized + Send + Sync + 'static>(&mut self, implementation: Box<I>) {
        self.add(Entry {
            interface: TypeId::of::<I>(),
            image: this_image(),
            name: type_name::<I>(),
            implementation: Box::new(implementation),
        });
    }

    fn add(&mut self, entry: Entry) {
        self.image = if self.entries.is_empty() || self.image == entry.image { entry.image } else { 0 };
        if self.image == 0 {
            self.entries.retain(|other| other.image == entry.image || other.name != entry.name);
        }
        if let Some(other) = self.entries.iter_mut().find(|other| other.interface == entry.interface) {
            *other = entry;
        } else {
            self.entries.reserve_exact(1);
            self.entries.push(entry);
        }
    }

    /// The implementation of `I`, a `dyn Trait` type.
    pub(crate) fn get<I: ?Sized + 'static>(&self) -> Option<&I> {
        if let Some(entry) = self.entries.iter().find(|entry| entry.interface == TypeId::of::<I>()) {
            return entry.implementation.downcast_ref::<Box<I>>().map(|implementation| &**implementation);
        }
        let image = this_image();
        if self.image == image || self.entries.is_empty() {
            return None;
        }
        self.of_other_image::<I>(image)
    }

    #[cold]
    fn of_other_image<I: ?Sized + 'static>(&self, image: usize) -> Option<&I> {
        let name = type_name::<I>();
        // Of traits of other crates, nobody knows that they are the same in both images.
        if !name.starts_with("dyn dl_") || name.contains('<') {
            return None;
        }
        let entry = self.entries.iter().find(|entry| entry.image != image && entry.name == name)?;
        let implementation = (&raw const *entry.implementation).cast::<Box<I>>();
        // SAFETY: It is a `Box<I>` in the image that has inserted it, by `insert`. There `I` is the trait of this name, of the same
        // source and compiled by the same compiler as here: plugins for which that does not hold are not loaded.
        #[expect(unsafe_code, reason = "the compiler does not know that it is the same type")]
        let implementation = unsafe { &*implementation };
        Some(implementation)
    }
}
