//! Interfaces of operations, as code of several images attaches and asks for them: the tool, and the plugins that it has loaded.
//!
//! Each image has its own copy of this crate. The compiler gives one trait different [`TypeId`]s in such copies, so between images
//! a trait is known by its full name. That it then has the same methods in the same order is what the loader of plugins has made
//! sure of, for the crates of this project: it loads only what was compiled from the same sources by the same compiler.

use std::any::{Any, TypeId, type_name};

use smallvec::SmallVec;

/// Something that each image has once, at an address of its own.
static HERE: u8 = 0;

/// Implementations of interfaces, one for each. Most operations have none, or two at most; they are searched one by one.
#[derive(Default)]
pub(crate) struct Interfaces(SmallVec<[Entry; 2]>);

struct Entry {
    key: &'static Key,
    /// A `Box<I>`.
    implementation: Box<dyn Any + Send + Sync>,
}

impl Entry {
    /// The implementation of `I`.
    ///
    /// # Safety
    /// It was inserted as one of `I`, in this image, or in another one where `I` is compiled from the same source by the same compiler.
    // Asking the implementation for its type would be safe, and a call to a function that lies far away, in the crate that inserts it.
    #[expect(unsafe_code, reason = "the compiler does not know which type it is")]
    unsafe fn get<I: ?Sized>(&self) -> &I {
        let implementation = (&raw const *self.implementation).cast::<Box<I>>();
        // SAFETY: The caller says that it is a `Box<I>`.
        unsafe { &*implementation }
    }
}

/// An interface as one image knows it.
struct Key {
    interface: TypeId,
    image: &'static u8,
    /// Its full name.
    name: fn() -> &'static str,
}

impl Key {
    fn is_of_this_image(&self) -> bool {
        std::ptr::eq(self.image, &raw const HERE)
    }
}

/// The key of the interface `I`.
struct KeyOf<I: ?Sized>(std::marker::PhantomData<I>);

impl<I: ?Sized + 'static> KeyOf<I> {
    const KEY: &'static Key = &Key { interface: TypeId::of::<I>(), image: &HERE, name: type_name::<I> };
}

impl Interfaces {
    /// Sets the implementation of `I`, a `dyn Trait` type.
    pub(crate) fn insert<I: ?Sized + Send + Sync + 'static>(&mut self, implementation: Box<I>) {
        self.add(Entry { key: KeyOf::<I>::KEY, implementation: Box::new(implementation) });
    }

    fn add(&mut self, entry: Entry) {
        let is_same = |other: &Key| {
            other.interface == entry.key.interface
                || !std::ptr::eq(other.image, entry.key.image) && (other.name)() == (entry.key.name)()
        };
        match self.0.iter_mut().find(|other| is_same(other.key)) {
            Some(other) => *other = entry,
            None => self.0.push(entry),
        }
    }

    /// The implementation of `I`, a `dyn Trait` type.
    pub(crate) fn get<I: ?Sized + 'static>(&self) -> Option<&I> {
        let mut others = false;
        for entry in &self.0 {
            if entry.key.interface == TypeId::of::<I>() {
                // SAFETY: The compiler gives no other type this `TypeId`.
                #[expect(unsafe_code, reason = "the compiler does not know that it is the same type")]
                return Some(unsafe { entry.get() });
            }
            others |= !entry.key.is_of_this_image();
        }
        if others { self.of_other_image::<I>() } else { None }
    }

    #[cold]
    fn of_other_image<I: ?Sized + 'static>(&self) -> Option<&I> {
        let name = type_name::<I>();
        // Of traits of other crates, nobody knows that they are the same in both images.
        if !name.starts_with("dyn dl_") || name.contains('<') {
            return None;
        }
        let entry = self.0.iter().find(|entry| !entry.key.is_of_this_image() && (entry.key.name)() == name)?;
        // SAFETY: In the image that has inserted it, `I` is the trait of this name, of the same source and compiled by the same compiler as here:
        // plugins for which that does not hold are not loaded.
        #[expect(unsafe_code, reason = "the compiler does not know that it is the same type")]
        Some(unsafe { entry.get() })
    }
}
