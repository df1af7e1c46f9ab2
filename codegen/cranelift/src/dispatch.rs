//! What each operation of the dialect becomes.

use cranelift_codegen::ir::InstBuilder;
use dl_ir::OpRef;

use crate::function::{Function, INVALID, Outcome};
use crate::reduce::function_of;

impl<'a> Function<'_, '_, 'a> {
    /// Translates one operation.
    ///
    /// # Errors
    /// What is not supported about it.
    pub(crate) fn dispatch(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let full = op.name();
        let Some(name) = full.strip_prefix("llvm.") else { return Err(format!("'{full}'")) };
        match name {
            "br" => self.br(op),
            "cond_br" => self.cond_br(op),
            "switch" => self.switch(op),
            "return" => self.return_(op),
            "unreachable" => {
                self.unreachable();
                Ok(())
            }
            "call" => self.call(op),

            "mlir.constant" => self.constant(op),
            "mlir.zero" | "mlir.undef" | "mlir.poison" => self.anything(op),
            "mlir.addressof" => self.addressof(op),
            "extractvalue" => self.extractvalue(op),
            "insertvalue" => self.insertvalue(op),
            // Every value here is something; none is poison.
            "freeze" | "addrspacecast" => self.same(op),

            "add" | "sub" | "mul" | "and" | "or" | "xor" | "shl" | "lshr" | "ashr" | "sdiv" | "udiv" | "srem"
            | "urem" => self.int_binary(op, name),
            "icmp" => self.icmp(op),
            "zext" | "trunc" | "ptrtoint" | "inttoptr" => self.int_convert(op, false),
            "sext" => self.int_convert(op, true),
            "fadd" | "fsub" | "fmul" | "fdiv" | "frem" | "fneg" => self.float_op(op, name),
            "fcmp" => self.fcmp(op),
            "fpext" | "fptrunc" => self.float_convert(op),
            "sitofp" => self.int_to_float(op, true),
            "uitofp" => self.int_to_float(op, false),
            "fptosi" => self.float_to_int(op, true),
            "fptoui" => self.float_to_int(op, false),
            "bitcast" => self.bitcast(op),
            "select" => self.select(op),

            "alloca" => self.alloca(op),
            "load" => self.load_op(op),
            "store" => self.store_op(op),
            "getelementptr" => self.getelementptr(op),
            "atomicrmw" => self.atomic_rmw(op),
            "cmpxchg" => self.compare_exchange(op),
            "fence" => {
                self.b.ins().fence();
                Ok(())
            }

            "extractelement" => self.extractelement(op),
            "insertelement" => self.insertelement(op),
            "shufflevector" => self.shufflevector(op),
            _ => match name.strip_prefix("intr.") {
                Some(intrinsic) => self.intrinsic(op, intrinsic),
                None => Err(format!("'{full}'")),
            },
        }
    }

    fn intrinsic(&mut self, op: OpRef<'a>, name: &str) -> Outcome<()> {
        match name {
            // What only helps an optimizer.
            "assume"
            | "lifetime.start"
            | "lifetime.end"
            | "experimental.noalias.scope.decl"
            | "dbg.declare"
            | "dbg.value"
            | "dbg.label"
            | "prefetch"
            | "invariant.end"
            | "var.annotation" => Ok(()),
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "ptr.annotation"
            | "annotation" => self.same(op),
            "is.constant" | "invariant.start" => self.anything(op),

            "abs" | "ctpop" | "ctlz" | "cttz" | "bswap" | "bitreverse" => self.int_unary(op, name),
            "smin" | "smax" | "umin" | "umax" => self.int_binary(op, name),
            "sadd.with.overflow" => self.with_overflow(op, "add", true),
            "uadd.with.overflow" => self.with_overflow(op, "add", false),
            "ssub.with.overflow" => self.with_overflow(op, "sub", true),
            "usub.with.overflow" => self.with_overflow(op, "sub", false),
            "smul.with.overflow" => self.with_overflow(op, "mul", true),
            "umul.with.overflow" => self.with_overflow(op, "mul", false),
            "sadd.sat" => self.saturating(op, "add", true),
            "uadd.sat" => self.saturating(op, "add", false),
            "ssub.sat" => self.saturating(op, "sub", true),
            "usub.sat" => self.saturating(op, "sub", false),
            "sshl.sat" => self.saturating(op, "shl", true),
            "ushl.sat" => self.saturating(op, "shl", false),
            "fshl" => self.funnel_shift(op, true),
            "fshr" => self.funnel_shift(op, false),
            "scmp" => self.three_way(op, true),
            "ucmp" => self.three_way(op, false),

            "rint" | "nearbyint" => self.float_op(op, "roundeven"),
            "fma" | "fmuladd" | "fabs" | "sqrt" | "ceil" | "floor" | "trunc" | "roundeven" | "round" | "minimum"
            | "maximum" | "minnum" | "maxnum" | "copysign" | "acos" | "asin" | "atan" | "atan2" | "cos" | "cosh"
            | "exp" | "exp10" | "exp2" | "log" | "log10" | "log2" | "pow" | "sin" | "sinh" | "tan" | "tanh" => {
                self.float_op(op, name)
            }
            "powi" => self.powi(op),
            "lrint" | "llrint" => self.rounded_to_int(op, "roundeven"),
            "lround" | "llround" => self.rounded_to_int(op, "round"),
            "is.fpclass" => self.is_fpclass(op),

            "memcpy" | "memcpy.inline" => self.bulk(op, "memcpy"),
            "memmove" => self.bulk(op, "memmove"),
            "memset" | "memset.inline" => self.bulk(op, "memset"),
            "stacksave" => self.stack_save(op),
            "stackrestore" => {
                let saved = self.scalar(op.operand(0))?;
                self.free_heap(Some(saved))
            }
            "trap" | "ubsantrap" | "debugtrap" => {
                self.unreachable();
                let unreachable = self.b.create_block();
                self.b.switch_to_block(unreachable);
                Ok(())
            }

            "masked.load" => self.masked_load(op),
            "masked.store" => self.masked_store(op),
            "masked.gather" => self.gather(op),
            "masked.scatter" => self.scatter(op),
            "masked.expandload" => self.compressed(op, true),
            "masked.compressstore" => self.compressed(op, false),
            "get.active.lane.mask" => self.active_lanes(op),
            "stepvector" => self.step_vector(op),
            // Scalable vectors have their least number of lanes.
            "vscale" => {
                let lane = self.shape(op.result(0).ty())?.lane().ok_or(INVALID)?;
                let one = self.int(lane.register(), 1);
                self.set_scalar(op, one)
            }
            "vector.insert" => self.subvector(op, true),
            "vector.extract" => self.subvector(op, false),
            "vector.interleave2" => self.interleave(op),
            "vector.deinterleave2" => self.deinterleave(op),
            "vector.reduce.fadd" => self.reduce_float(op, "fadd"),
            "vector.reduce.fmul" => self.reduce_float(op, "fmul"),
            "threadlocal.address" => self.same(op),
            _ => match name.strip_prefix("vector.reduce.").and_then(function_of) {
                Some(function) => self.reduce(op, function),
                None => Err(format!("'llvm.intr.{name}'")),
            },
        }
    }

    /// The first operand as it is.
    fn same(&mut self, op: OpRef<'a>) -> Outcome<()> {
        let held = self.get(op.operand(0))?;
        self.set(op, held.parts)
    }

    /// A float rounded to an integer number, as an integer.
    fn rounded_to_int(&mut self, op: OpRef<'a>, how: &str) -> Outcome<()> {
        let arg = self.get(op.operand(0))?;
        let rounded = self.float_on(how, &arg.shape.clone(), &[arg])?;
        let to = self.shape(op.result(0).ty())?;
        let parts = self.floats_to_ints(&rounded, &to, true)?;
        self.set(op, parts)
    }
}
