//! The pass `math-approximate`.

use dl_arith::Build;
use dl_dl::target;
use dl_ir::pass::{OptionValue, Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{FrozenPatterns, NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::types::FloatKind;
use dl_ir::{Diagnostic, Loc, OpDefinition, OpId, OpRef, Rewriter};
use dl_math as math;
use smallvec::{SmallVec, smallvec};

use super::emit::{Emit, MOST, Side};
use super::functions;

/// How a number is multiplied by a power of two.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Scaling {
    /// As the target that the module names does it best; as any can, where it names none.
    #[default]
    Target,
    /// By integer arithmetic on exponents.
    Generic,
    /// By the AVX-512 instruction for it, which takes an eighth of the operations.
    Avx512,
}

impl OptionValue for Scaling {
    const KIND: &'static str = "value";
    const CHOICES: &'static [(&'static str, &'static str)] = &[
        ("target", "as the target that the module names does it best"),
        ("generic", "integer arithmetic on exponents"),
        ("avx512", "vscalefps, for vectors of 4, 8 or 16 elements"),
    ];

    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text.unwrap_or_default() {
            "target" => Ok(Self::Target),
            "generic" => Ok(Self::Generic),
            "avx512" => Ok(Self::Avx512),
            other => Err(format!("Cannot find option named '{other}'!")),
        }
    }

    fn print(&self) -> Option<String> {
        Some(Self::CHOICES[*self as usize].0.to_owned())
    }
}

dl_ir::pass_options! {
    /// Options of [`MathApproximate`].
    pub struct ApproximateOptions {
        /// The functions to expand, without their dialect, as in exp,tanh; all that are known where none is given
        functions "functions": Vec<String> = Vec::new(),
        /// How a number is multiplied by a power of two
        scaling "scaling": Scaling = Scaling::Target,
    }
}

/// Expands elementary functions of f32, and some of f64, of scalars and of vectors.
#[derive(Clone, Default)]
pub struct MathApproximate {
    /// The options.
    pub options: ApproximateOptions,
}

/// Writes a function.
type Write = fn(&mut Emit<'_, '_>, Side) -> Side;

/// The functions that are known, by the operation that computes them.
const FUNCTIONS: [(&str, Write); 9] = [
    (math::ErfOp::NAME, |m, x| functions::erf(m, x)),
    (math::Exp2Op::NAME, |m, x| functions::exp2(m, x)),
    (math::ExpM1Op::NAME, |m, x| functions::expm1(m, x)),
    (math::ExpOp::NAME, |m, x| functions::exp(m, x)),
    (math::Log10Op::NAME, |m, x| functions::log10(m, x)),
    (math::Log1pOp::NAME, |m, x| functions::log1p(m, x)),
    (math::Log2Op::NAME, |m, x| functions::log2(m, x)),
    (math::LogOp::NAME, |m, x| functions::log(m, x)),
    (math::TanhOp::NAME, |m, x| functions::tanh(m, x)),
];

/// Those of f64 that the back end would not compute accurately.
const FUNCTIONS_OF_F64: [(&str, Write); 2] = [
    (math::ExpM1Op::NAME, |m, x| {
        functions::expm1_by(m, x, Emit::function::<math::ExpOp<'_>>, Emit::function::<math::LogOp<'_>>)
    }),
    (math::Log1pOp::NAME, |m, x| functions::log1p_by(m, x, Emit::function::<math::LogOp<'_>>)),
];

/// The name of a function as the option has it.
fn short(name: &str) -> &str {
    name.strip_prefix("math.").unwrap_or(name)
}

/// Expands the functions of one type that are listed with how they are written.
struct Expand {
    of: FloatKind,
    functions: Vec<(&'static str, Write)>,
    scaling: Scaling,
}

impl Pattern for Expand {
    const NAME: &'static str = "math-approximate";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let found = self.functions.iter().find(|(name, _)| *name == view.name());
        let &(_, write) = found.ok_or(NoMatch("not one of the functions"))?;
        let (operand, loc) = (view.operand(0), view.loc());
        let ty = operand.ty();
        let is_value = !ty.is_shaped() || (ty.is_vector() && !ty.is_scalable_vector());
        if !is_value || ty.element_or_self().float_kind() != Some(self.of) {
            return Err(NoMatch("of another type"));
        }
        let ty = ty.id();
        let alike = alike(view);
        let mut operands = [operand.id(); MOST];
        for (to, &op) in operands.iter_mut().zip(&alike) {
            *to = rw.op(op).operand(0).id();
        }
        rw.set_insertion_before(alike[0]);
        let values = write(&mut Emit::new(Build::new(rw, loc), alike.len(), ty, self.scaling), operands);
        for (op, value) in alike.into_iter().zip(values) {
            rw.replace(op, &[value]);
        }
        Ok(())
    }
}

/// `op` and its neighbours that compute the same function of values of the same type, and not of the results of one, in their order: as loops that
/// compute vectors side by side have them. Just `op` where it computes a function of the result of one.
fn alike(op: OpRef<'_>) -> SmallVec<[OpId; MOST]> {
    let is_alike = |other: &OpRef<'_>| {
        other.name_id() == op.name_id() && {
            let of = other.operand(0);
            let is_result = of.defining_op().is_some_and(|it| it.name_id() == op.name_id());
            of.ty() == op.operand(0).ty() && !is_result
        }
    };
    let before = std::iter::successors(Some(op), |op| op.prev()).take_while(is_alike).take(MOST);
    let Some(first) = before.last() else { return smallvec![op.id()] };
    std::iter::successors(Some(first), |op| op.next()).take_while(is_alike).take(MOST).map(OpRef::id).collect()
}

impl MathApproximate {
    /// How the module is to be computed: as the option says, or else its target.
    fn scaling(&self, module: OpRef<'_>) -> Scaling {
        let has_all = |machine: &dl_machine::Machine| ["avx512f", "avx512vl"].iter().all(|it| machine.has(it));
        match self.options.scaling {
            Scaling::Target if target::of_module(module).as_ref().is_some_and(has_all) => Scaling::Avx512,
            Scaling::Target => Scaling::Generic,
            scaling => scaling,
        }
    }

    fn patterns(&self, scaling: Scaling) -> Result<FrozenPatterns, Diagnostic> {
        let wanted = &self.options.functions;
        let unknown = wanted.iter().find(|name| !FUNCTIONS.iter().any(|(known, _)| short(known) == name.as_str()));
        if let Some(unknown) = unknown {
            let known: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| short(name)).collect();
            let message = format!("no function '{unknown}' can be expanded, only {}", known.join(", "));
            return Err(Diagnostic::error(Loc::UNKNOWN, message));
        }
        let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|each| each == short(name));
        let mut patterns = Patterns::new();
        for (of, known) in [(FloatKind::F32, &FUNCTIONS[..]), (FloatKind::F64, &FUNCTIONS_OF_F64)] {
            let functions = known.iter().copied().filter(|(name, _)| is_wanted(name)).collect();
            patterns.add(Expand { of, functions, scaling });
        }
        Ok(patterns.freeze())
    }
}

impl Pass for MathApproximate {
    const INFO: PassInfo =
        PassInfo::new("math-approximate", "Expand elementary functions of f32, and some of f64, into arithmetic");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = self.patterns(self.scaling(cx.root()))?;
        cx.rewrite_greedily(&patterns, &GreedyConfig::default())?;
        Ok(())
    }
}
