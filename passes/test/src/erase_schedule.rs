//! `test-transform-dialect-erase-schedule`: takes schedules out of a program.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{OpId, OpRef, Rewriter};

/// Erases operations of the dialect `transform`, those in other operations too.
#[derive(Clone, Copy, Default)]
pub struct TestEraseSchedule;

impl Pass for TestEraseSchedule {
    const INFO: PassInfo =
        PassInfo::new("test-transform-dialect-erase-schedule", "Erase schedules in the dialect transform");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            let is_schedule = |&op: &OpId| OpRef::new(cx, ir, op).info().dialect() == "transform";
            let all = dl_ir::walk::ops_in_arena(ir, dl_ir::Arena::ROOT);
            let schedules: Vec<OpId> = all.into_iter().filter(is_schedule).collect();
            Rewriter::new(cx, ir).erase_all(&schedules);
        });
        Ok(())
    }
}
