//! Interfaces of operations, as code of several images attaches and asks for them: the tool, and the plugins that it has loaded.
//!
//! Each image has its own copy of this crate. The compiler gives one trait different [`TypeId`]s in such copies, so between images
//! a trait is known by its full name. That it then has the same methods in the same order is what the loader of plugins has made
//! sure of, for the crates of this project: it loads only what was compiled from the same sources by the same compiler.

use std::any::{TypeId, type_name};
use std::mem::MaybeUninit;

use smallvec::SmallVec;

/// Something that each image has once, at an address of its own.
static HERE: u8 = 0;

/// Implementations of interfaces, one for each. Most operations have none, or two at most; they are searched one by one.
#[derive(Default)]
pub(crate) struct Interfaces(SmallVec<[Entry; 2]>);

/// An implementation. Its box lies here: most have no size, and so take no allocation at all.
struct Entry {
    key: &'static Key,
    implementation: Erased,
}

/// Room for a `Box<I>`, an address or two.
type Erased = MaybeUninit<[*mut (); 2]>;

impl Entry {
    fn new<I: ?Sized + Send + Sync + 'static>(implementation: Box<I>) -> Self {
        const { assert!(size_of::<Box<I>>() <= size_of::<Erased>() && align_of::<Box<I>>() <= align_of::<Erased>()) };
        let mut erased = Erased::uninit();
        // SAFETY: There is room for it, as is asserted.
        #[expect(unsafe_code, reason = "the compiler does not know that it fits")]
        unsafe {
            erased.as_mut_ptr().cast::<Box<I>>().write(implementation);
        }
        Self { key: KeyOf::<I>::KEY, implementation: erased }
    }

    /// The implementation of `I`.
    ///
    /// # Safety
    /// It was inserted as one of `I`, in this image, or in another one where `I` is compiled from the same source by the same compiler.
    #[expect(unsafe_code, reason = "the compiler does not know which type it is")]
    unsafe fn get<I: ?Sized>(&self) -> &I {
        // SAFETY: The caller says that it is a `Box<I>`.
        unsafe { &*self.implementation.as_ptr().cast::<Box<I>>() }
    }
}

impl Drop for Entry {
    #[expect(unsafe_code, reason = "the compiler does not know which type it is")]
    fn drop(&mut self) {
        // SAFETY: The key is of the type that `new` was called with, and nothing uses the entry after this.
        unsafe { (self.key.drop)(&mut self.implementation) }
    }
}

// SAFETY: `new` takes only what is `Send`.
#[expect(unsafe_code, reason = "the compiler does not know which type it is")]
unsafe impl Send for Entry {}
// SAFETY: `new` takes only what is `Sync`.
#[expect(unsafe_code, reason = "the compiler does not know which type it is")]
unsafe impl Sync for Entry {}

/// An interface as one image knows it.
struct Key {
    interface: TypeId,
    image: &'static u8,
    /// Its full name.
    name: fn() -> &'static str,
    /// Drops an implementation.
    drop: unsafe fn(&mut Erased),
}

impl Key {
    fn is_of_this_image(&self) -> bool {
        std::ptr::eq(self.image, &raw const HERE)
    }
}

/// The key of the interface `I`.
struct KeyOf<I: ?Sized>(std::marker::PhantomData<I>);

impl<I: ?Sized + 'static> KeyOf<I> {
    const KEY: &'static Key =
        &Key { interface: TypeId::of::<I>(), image: &HERE, name: type_name::<I>, drop: Self::drop };

    /// # Safety
    /// `implementation` is a `Box<I>`, and not used after this.
    #[expect(unsafe_code, reason = "the compiler does not know which type it is")]
    unsafe fn drop(implementation: &mut Erased) {
        // SAFETY: As the caller says.
        unsafe { implementation.as_mut_ptr().cast::<Box<I>>().drop_in_place() }
    }
}

impl Interfaces {
    /// Sets the implementation of `I`, a `dyn Trait` type.
    pub(crate) fn insert<I: ?Sized + Send + Sync + 'static>(&mut self, implementation: Box<I>) {
        self.add(Entry::new(implementation));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    trait Named: Send + Sync {
        fn name(&self) -> &str;
    }

    trait Empty: Send + Sync {}

    struct Counted(Arc<str>);

    impl Named for Counted {
        fn name(&self) -> &str {
            &self.0
        }
    }

    struct Nothing;

    impl Empty for Nothing {}

    #[test]
    fn implementations_are_found_by_interface_and_dropped_once() {
        let (first, second): (Arc<str>, Arc<str>) = ("first".into(), "second".into());
        let mut interfaces = Interfaces::default();
        assert!(interfaces.get::<dyn Named>().is_none());
        interfaces.insert::<dyn Empty>(Box::new(Nothing));
        interfaces.insert::<dyn Named>(Box::new(Counted(first.clone())));
        interfaces.insert::<u64>(Box::new(7));
        assert_eq!(interfaces.get::<dyn Named>().map(Named::name), Some("first"));
        assert_eq!(interfaces.get::<u64>(), Some(&7));
        assert!(interfaces.get::<dyn Empty>().is_some() && interfaces.get::<u32>().is_none());

        interfaces.insert::<dyn Named>(Box::new(Counted(second.clone())));
        assert_eq!((Arc::strong_count(&first), Arc::strong_count(&second)), (1, 2));
        assert_eq!(interfaces.get::<dyn Named>().map(Named::name), Some("second"));
        drop(interfaces);
        assert_eq!(Arc::strong_count(&second), 1);
    }
}
