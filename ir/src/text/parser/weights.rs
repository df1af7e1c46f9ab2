//! How much types and attributes are written out as.

use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::text::printer::{Key, for_each_part};

/// How many types and attributes each is made of when it is written out.
#[derive(Default)]
pub(super) struct Weights(FxHashMap<Key, u64>);

impl Weights {
    /// The weight of `key`, where what is printed as an alias counts once. Costs O(parts) the first time.
    pub(super) fn of(&mut self, cx: &Context, key: Key) -> u64 {
        if key.alias_name(cx).is_some() {
            return 1;
        }
        let mut pending = vec![key];
        while let Some(&at) = pending.last() {
            let (mut weight, open) = (1_u64, pending.len());
            if !self.0.contains_key(&at) && at.alias_name(cx).is_none() {
                for_each_part(cx, at, &mut |part| match self.0.get(&part) {
                    Some(&known) => weight = weight.saturating_add(known),
                    None => pending.push(part),
                });
            }
            if pending.len() == open {
                pending.pop();
                self.0.entry(at).or_insert(weight);
            }
        }
        self.0[&key]
    }
}
