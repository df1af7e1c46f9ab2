//! Comments that say who uses a value: `--mlir-print-value-users`.
//!
//! A user is called by its results; one that has none has a number of its own, which a comment behind it tells.

use rustc_hash::{FxHashMap, FxHashSet};

use super::AsmPrinter;
use crate::entity::OpId;
use crate::view::{BlockRef, OpRef, ValueRef};

impl AsmPrinter<'_> {
    /// `// %arg0 is used by %1`, on a line for each argument.
    pub(super) fn argument_users(&mut self, block: BlockRef<'_>) {
        for arg in block.args() {
            self.indent();
            self.text("// ");
            self.operand(arg);
            if arg.has_uses() {
                self.text(" is used by ");
                self.users(arg);
            } else {
                self.text(" is unused");
            }
            self.newline();
        }
    }

    /// ` // user: %1`, of `op` on whose line it is; ` // id: %1` for one without results.
    pub(super) fn result_users(&mut self, op: OpRef<'_>) {
        if op.num_results() == 0 {
            if op.num_operands() > 0 {
                self.text(" // id: ");
                self.number_of(op);
            }
            return;
        }
        if !op.has_used_results() {
            return self.text(" // unused");
        }
        let brackets = op.num_results() > 1;
        let users: FxHashMap<OpId, usize> =
            op.result(0).uses().map(|(user, _)| (user.id(), user.num_results())).collect();
        let is_one = !brackets && users.len() == 1 && users.values().all(|&results| results <= 1);
        self.text(if is_one { " // user: " } else { " // users: " });
        self.comma_separated(op.results().iter(), |p, result| {
            p.text(if brackets { "(" } else { "" });
            p.users(result);
            p.text(if brackets { ")" } else { "" });
        });
    }

    /// The users of `value`, each once.
    fn users(&mut self, value: ValueRef<'_>) {
        if !value.has_uses() {
            return self.text("unused");
        }
        let mut seen = FxHashSet::default();
        let users = value.uses().map(|(user, _)| user).filter(|user| seen.insert(user.id()));
        self.comma_separated(users, |p, user| match user.num_results() {
            0 => p.number_of(user),
            _ => p.operands(user.results().iter()),
        });
    }

    /// `%1` for an operation without results.
    fn number_of(&mut self, op: OpRef<'_>) {
        match self.names.of(op.arena()).and_then(|names| names.ops.get(&op.id()).copied()) {
            Some(number) => {
                self.text("%");
                self.int(i64::from(number));
            }
            None => self.text("<<UNKNOWN OPERATION>>"),
        }
    }
}
