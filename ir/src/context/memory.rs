//! Memory of large constants: given back while they lie in a file, and for good once nothing refers to them.

use std::sync::Arc;

use bytes::Bytes;
use rustc_hash::FxHashSet;

use super::Context;
use crate::arena::Arena;
use crate::attributes::{Attr, AttrData, DenseData};
use crate::location::{LocData, TextMemory};
use crate::types::TypeData;
use crate::view::OpRef;
use crate::walk;

/// Bytes from which on a constant is worth the effort.
const LARGE: usize = 1 << 16;

impl Context {
    /// Tells of a file in `memory` that constants may lie in, which can then be [given back](Self::give_back).
    pub fn add_constants_in(&self, content: Bytes, memory: Arc<dyn TextMemory>) {
        self.files.write().push((content, memory));
    }

    /// Gives back the memory that a large constant takes, if it lies in a [file](Self::add_constants_in): for who has just computed another one of it, as
    /// it is seldom read again. Who does so all the same waits for the file.
    pub fn give_back(&self, data: &DenseData) {
        let (start, len) = (data.bytes().as_ptr().addr(), data.bytes().len());
        if len < LARGE {
            return;
        }
        for (content, memory) in &*self.files.read() {
            let offset = start.wrapping_sub(content.as_ptr().addr());
            if offset < content.len() {
                memory.release(offset..content.len().min(offset + len));
            }
        }
    }

    /// The same for all constants that are in files.
    pub fn give_back_all(&self) {
        self.files.read().iter().for_each(|(content, memory)| memory.release(0..content.len()));
    }

    /// Frees the elements of large constants that neither an operation of `module` nor another attribute, a type or a location refers to: of weights
    /// that have been packed, say. Their handles mean `unit` from then on.
    ///
    /// Cost: O(operations + all that is interned).
    pub fn free_unused_constants(&mut self, module: &Arena) {
        let is_large =
            |data: &AttrData| matches!(data, AttrData::DenseElements { data, .. } if data.bytes().len() >= LARGE);
        let large = self.attrs.iter().filter(|(_, data)| is_large(data)).map(|(index, _)| index);
        let large: Vec<usize> = large.collect();
        if large.is_empty() {
            return;
        }
        let mut used = FxHashSet::default();
        for op in walk::pre_order(OpRef::root(self, module)) {
            used.extend(op.attrs().map(|(_, attr)| attr.id()));
        }
        self.attrs.iter().for_each(|(_, data)| used.extend(attrs_of_attr(data)));
        self.types.iter().for_each(|(_, data)| used.extend(attrs_of_type(data)));
        for (_, loc) in self.locs.iter() {
            if let LocData::Fused { metadata, .. } = loc {
                used.extend(*metadata);
            }
        }
        for index in large.into_iter().filter(|&index| !used.contains(&Attr::from_index(index))) {
            self.attrs.replace(index, AttrData::Unit);
        }
    }
}

/// The attributes that an attribute refers to.
fn attrs_of_attr(data: &AttrData) -> Vec<Attr> {
    match data {
        AttrData::Array(attrs) | AttrData::Dialect { params: attrs, .. } => attrs.to_vec(),
        AttrData::Dictionary(entries) => entries.iter().map(|&(_, attr)| attr).collect(),
        AttrData::SparseElements { indices, values, .. } => vec![*indices, *values],
        AttrData::Distinct { referenced, .. } => vec![*referenced],
        _ => Vec::new(),
    }
}

/// The attributes that a type refers to.
fn attrs_of_type(data: &TypeData) -> Vec<Attr> {
    match data {
        TypeData::RankedTensor { encoding: attr, .. } | TypeData::UnrankedMemRef { space: attr, .. } => {
            attr.iter().copied().collect()
        }
        TypeData::MemRef { layout, space, .. } => layout.iter().chain(space).copied().collect(),
        TypeData::Dialect { params, .. } => params.to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::lock::Mutex;
    use crate::text::{PrintOptions, parse_source, print_op};

    /// Remembers what was given back.
    #[derive(Default)]
    struct Recorder(Mutex<Vec<Range<usize>>>);

    impl std::fmt::Debug for Recorder {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Recorder")
        }
    }

    impl TextMemory for Recorder {
        fn release(&self, range: Range<usize>) {
            self.0.lock().push(range);
        }
    }

    #[test]
    fn constants_in_files_are_given_back() {
        let cx = Context::new();
        let content = Bytes::from((0..300_000_u32).map(|at| (at % 253) as u8).collect::<Vec<_>>());
        let memory = Arc::new(Recorder::default());
        cx.add_constants_in(content.clone(), memory.clone());
        let inside = DenseData::elements(content.slice(1000..201_000), 4);
        let small = DenseData::elements(content.slice(0..1000), 4);
        let outside = DenseData::elements(content.to_vec(), 4);
        [&inside, &small, &outside].into_iter().for_each(|data| cx.give_back(data));
        assert_eq!(memory.0.lock().as_slice(), std::slice::from_ref(&(1000..201_000)));
        cx.give_back_all();
        assert_eq!(*memory.0.lock(), [1000..201_000, 0..300_000]);
    }

    /// A constant of so many bytes, the first of which is `first`.
    fn constant(cx: &Context, first: u8, len: usize) -> (Attr, Bytes) {
        let mut bytes = vec![0; len];
        bytes[0] = first;
        let bytes = Bytes::from(bytes);
        let ty = cx.tensor_type(&[len as i64], cx.int_type(8));
        let data = DenseData::elements(bytes.clone(), 1);
        (cx.intern_attr(AttrData::DenseElements { ty, data }), bytes)
    }

    #[test]
    fn constants_that_nothing_refers_to_are_freed() {
        let mut cx = Context::new();
        cx.allow_unregistered(true);
        let source = cx.add_source("a", "\"x.outer\"() ({ \"x.inner\"() : () -> () }) : () -> ()");
        let mut module = parse_source(&cx, &source).unwrap().module;
        let all: Vec<(Attr, Bytes)> = (1..6).map(|first| constant(&cx, first, LARGE)).collect();
        let small = constant(&cx, 6, LARGE - 1);
        let inner =
            walk::pre_order(OpRef::root(&cx, &module)).find(|op| op.name() == "x.inner").map(|op| op.id()).unwrap();
        let name = cx.ident("value");
        crate::Rewriter::new(&cx, &mut module).set_attr(inner, name, all[0].0);
        cx.array_attr(&[all[1].0]);
        cx.intern_loc(LocData::Fused { locs: [].into(), metadata: Some(all[2].0) });
        let (shape, element) = ([2].into(), cx.f32_type());
        cx.intern_type(TypeData::RankedTensor { shape, element, encoding: Some(all[3].0) });
        let text = |cx: &Context, module: &Arena| {
            let mut text = Vec::new();
            print_op(OpRef::root(cx, module), &PrintOptions::default(), &mut text).unwrap();
            text
        };
        let before = text(&cx, &module);

        cx.free_unused_constants(&module);
        let is_kept = |(attr, bytes): &(Attr, Bytes)| {
            let is_there = matches!(cx.attr_data(*attr), AttrData::DenseElements { .. });
            assert_eq!(is_there, !bytes.is_unique(), "memory is freed with the constant");
            is_there
        };
        assert_eq!(all.iter().map(is_kept).collect::<Vec<_>>(), [true, true, true, true, false]);
        assert!(is_kept(&small));
        assert_eq!(text(&cx, &module), before);
        // One that is made anew is another one.
        let (again, _) = constant(&cx, 5, LARGE);
        assert!(again != all[4].0 && matches!(cx.attr_data(again), AttrData::DenseElements { .. }));
    }
}
