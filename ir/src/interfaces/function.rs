//! Functions: operations with a symbol name, a function type and a body that may be missing, and the syntax they share.
//!
//! The syntax is that of `func.func`: `@name(%a: i32 {attrs}, %b: f32) -> (f32 {attrs}, i1) attributes {...} {body}`. Arguments
//! of a declaration need no names.

use smallvec::SmallVec;

use crate::attributes::{Attr, AttrRef};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::dialect::SignatureAttr;
use crate::rewriter::OpState;
use crate::symbol::{VISIBILITIES, VISIBILITY};
use crate::text::{Argument, AsmPrinter, Delimiter, OpParser, Parsed};
use crate::types::{Type, TypeRef};
use crate::view::{OpRef, RegionRef};

/// Name of the attribute that holds one dictionary for each argument.
pub const ARG_ATTRS: &str = "arg_attrs";
/// Name of the attribute that holds one dictionary for each result.
pub const RES_ATTRS: &str = "res_attrs";
/// Name of the attribute that holds the type of the function.
pub const FUNCTION_TYPE: &str = "function_type";

/// A function-like operation.
pub trait FunctionOp: Send + Sync {
    /// The type of the function: the `function_type` attribute.
    fn function_type<'a>(&self, op: OpRef<'a>) -> Option<TypeRef<'a>> {
        op.attr(FUNCTION_TYPE).and_then(AttrRef::as_type)
    }

    /// Types of the arguments.
    fn inputs(&self, op: OpRef<'_>) -> SmallVec<[Type; 8]> {
        self.function_type(op).map_or_else(SmallVec::new, |ty| ty.inputs().into())
    }

    /// Types of the results.
    fn results(&self, op: OpRef<'_>) -> SmallVec<[Type; 4]> {
        self.function_type(op).map_or_else(SmallVec::new, |ty| ty.results().into())
    }

    /// The body, without blocks for a declaration.
    fn body<'a>(&self, op: OpRef<'a>) -> RegionRef<'a> {
        op.region(0)
    }

    /// Whether it has no body.
    fn is_declaration(&self, op: OpRef<'_>) -> bool {
        self.body(op).is_empty()
    }

    /// Whether a function without body may be public: its definition is then expected elsewhere.
    fn allows_public_declarations(&self) -> bool {
        false
    }

    /// The type of a function of this kind with these arguments and results.
    fn type_with(&self, op: OpRef<'_>, inputs: &[Type], results: &[Type]) -> Type {
        op.cx().function_type(inputs, results)
    }
}

/// What stands between the name of a function and its attributes.
#[derive(Default)]
pub struct Signature {
    /// Types of the arguments.
    pub inputs: SmallVec<[Type; 8]>,
    /// The arguments, when they have names.
    pub args: SmallVec<[Argument; 4]>,
    /// Attribute dictionary of each argument.
    pub arg_attrs: SmallVec<[Option<Attr>; 8]>,
    /// Whether `...` follows the arguments.
    pub variadic: bool,
    /// Types of the results.
    pub results: SmallVec<[Type; 4]>,
    /// Attribute dictionary of each result.
    pub res_attrs: SmallVec<[Option<Attr>; 4]>,
}

impl Signature {
    /// Sets `arg_attrs` and `res_attrs` where an argument or result has attributes.
    pub fn set_attrs(&self, cx: &Context, state: &mut OpState) {
        for (name, attrs) in [(ARG_ATTRS, &self.arg_attrs[..]), (RES_ATTRS, &self.res_attrs[..])] {
            if attrs.iter().flatten().any(|&dict| !cx.attr(dict).entries().is_empty()) {
                let empty = cx.dictionary_attr(&[]);
                let all: Vec<Attr> = attrs.iter().map(|dict| dict.unwrap_or(empty)).collect();
                state.set_attr(cx.ident(name), cx.array_attr(&all));
            }
        }
    }
}

/// Attributes that the signature shows.
const SHOWN: [&str; 5] = ["sym_name", FUNCTION_TYPE, VISIBILITY, ARG_ATTRS, RES_ATTRS];

/// Parses `private @name(signature) attributes {...} {body}`: the pretty form of operations whose type is a function type.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_function(p: &mut OpParser<'_>, state: &mut OpState) -> Parsed<()> {
    let cx = p.cx();
    if let Some(visibility) = p.parse_optional_keyword_of(&VISIBILITIES) {
        state.set_attr(cx.ident(VISIBILITY), cx.string_attr(visibility));
    }
    let name = p.parse_symbol_name()?;
    let signature = parse_signature(p, false)?;
    let mut given = OpState::default();
    let loc = p.loc();
    p.parse_optional_attr_dict_with_keyword(&mut given)?;
    for (key, value) in given.attrs {
        let key_text = cx.str(key);
        if ["sym_name", FUNCTION_TYPE, VISIBILITY].contains(&key_text) {
            let msg = format!(
                "'{key_text}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
            );
            return Err(p.error_at(loc, msg));
        }
        state.set_attr(key, value);
    }
    state.set_attr(cx.ident("sym_name"), cx.string_attr(&name));
    let ty = cx.function_type(&signature.inputs, &signature.results);
    state.set_attr(cx.ident(FUNCTION_TYPE), cx.type_attr(ty));
    signature.set_attrs(cx, state);
    let body_loc = p.loc();
    match p.parse_optional_region(state, &signature.args)? {
        Some(_) if p.region_is_empty(state) => Err(p.error_at(body_loc, "expected non-empty function body")),
        Some(_) => Ok(()),
        None => {
            p.empty_region(state);
            Ok(())
        }
    }
}

/// Prints what [`parse_function`] reads.
pub fn print_function(op: OpRef<'_>, p: &mut AsmPrinter<'_>) {
    let ty = op.attr(FUNCTION_TYPE).and_then(AttrRef::as_type);
    p.text(" ");
    if let Some(visibility) = op.attr(VISIBILITY).and_then(AttrRef::as_str) {
        p.text(visibility);
        p.text(" ");
    }
    p.symbol_name(op.symbol_name().unwrap_or_default());
    let (inputs, results) = ty.map_or((&[][..], &[][..]), |ty| (ty.inputs(), ty.results()));
    print_signature(op, p, inputs, false, results);
    p.attr_dict_with_keyword(op, &SHOWN);
    if !op.region(0).is_empty() {
        p.text(" ");
        p.region(op.region(0), false, true);
    }
}

/// `(arguments) -> results` of the operation `state`.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_signature(p: &mut OpParser<'_>, allow_variadic: bool) -> Parsed<Signature> {
    let mut signature = Signature::default();
    p.parse_comma_separated(Delimiter::Paren, |p| {
        if signature.variadic {
            return Err(p.error("variadic arguments must be in the end of the argument list"));
        }
        if allow_variadic && p.parse_optional_ellipsis() {
            signature.variadic = true;
            return Ok(());
        }
        let loc = p.loc();
        if let Some(arg) = p.parse_optional_argument(true)? {
            if signature.args.len() != signature.inputs.len() {
                return Err(p.error_at(loc, "expected type instead of SSA identifier"));
            }
            signature.args.push(arg);
            signature.inputs.push(arg.ty);
            signature.arg_attrs.push(arg.attrs);
            return Ok(());
        }
        if !signature.args.is_empty() {
            return Err(p.error_at(loc, "expected SSA identifier"));
        }
        signature.inputs.push(p.parse_type()?);
        signature.arg_attrs.push(parse_optional_dict(p)?);
        p.parse_optional_trailing_loc()?;
        Ok(())
    })?;
    if p.parse_optional_arrow() {
        if p.parse_optional_l_paren() {
            if !p.parse_optional_r_paren() {
                p.parse_comma_separated(Delimiter::None, |p| {
                    signature.results.push(p.parse_type()?);
                    signature.res_attrs.push(parse_optional_dict(p)?);
                    Ok(())
                })?;
                p.parse_r_paren()?;
            }
        } else {
            signature.results.push(p.parse_type()?);
            signature.res_attrs.push(None);
        }
    }
    Ok(signature)
}

/// `{...}` as a dictionary, if there is one.
fn parse_optional_dict(p: &mut OpParser<'_>) -> Parsed<Option<Attr>> {
    let mut entries = OpState::default();
    p.parse_optional_attr_dict(&mut entries)?;
    Ok((!entries.attrs.is_empty()).then(|| p.cx().dictionary_attr(&entries.attrs)))
}

/// Prints what [`parse_signature`] reads.
pub fn print_signature(op: OpRef<'_>, p: &mut AsmPrinter<'_>, inputs: &[Type], variadic: bool, results: &[Type]) {
    let cx = op.cx();
    let entry = op.region(0).entry();
    let arg_attrs = op.attr(ARG_ATTRS);
    p.text("(");
    for (i, &ty) in inputs.iter().enumerate() {
        if i > 0 {
            p.text(", ");
        }
        let attrs = arg_attrs.and_then(|all| all.elements().nth(i));
        let Some(block) = entry.filter(|block| i < block.num_args()) else {
            p.ty(ty);
            print_dict(p, attrs);
            continue;
        };
        p.argument(block.arg(i));
        // Upstream makes no aliases for attributes of arguments that have names.
        if !p.is_collecting() {
            print_dict(p, attrs);
        }
        p.argument_location(block.arg(i).loc());
    }
    if variadic {
        p.text(if inputs.is_empty() { "..." } else { ", ..." });
    }
    p.text(")");
    if results.is_empty() {
        return;
    }
    let res_attrs = op.attr(RES_ATTRS);
    let attrs_of = |i: usize| res_attrs.and_then(|all| all.elements().nth(i)).filter(|dict| !dict.entries().is_empty());
    p.text(" -> ");
    if let [ty] = results
        && !cx.ty(*ty).is_function()
        && attrs_of(0).is_none()
    {
        p.ty(*ty);
        return;
    }
    p.text("(");
    for (i, &ty) in results.iter().enumerate() {
        if i > 0 {
            p.text(", ");
        }
        p.ty(ty);
        print_dict(p, attrs_of(i));
    }
    p.text(")");
}

fn print_dict(p: &mut AsmPrinter<'_>, dict: Option<AttrRef<'_>>) {
    if let Some(dict) = dict.filter(|dict| !dict.entries().is_empty()) {
        p.text(" ");
        p.attr(dict.id());
    }
}

/// Checks the entry block and the attributes of arguments and results against the type of a function.
///
/// # Errors
/// The first of them that does not fit, or what a dialect says of its attribute.
pub fn verify_function(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(function) = op.interface::<dyn FunctionOp>() else { return Ok(()) };
    let (inputs, results) = (function.inputs(op), function.results(op));
    if function.is_declaration(op) && op.visibility() == "public" && !function.allows_public_declarations() {
        return Err(op.error("symbol declaration cannot have public visibility"));
    }
    verify_signature_attrs(op, &inputs, &results)?;
    let Some(entry) = function.body(op).entry() else { return Ok(()) };
    if entry.num_args() != inputs.len() {
        let expected = inputs.len();
        return Err(op.error(format_args!("entry block must have {expected} arguments to match function signature")));
    }
    for (i, (arg, &ty)) in entry.args().zip(&inputs).enumerate() {
        if arg.ty() != ty {
            return Err(op.error(format_args!(
                "type of entry block argument #{i}('{}') must match the type of the corresponding argument in function \
                 signature('{}')",
                arg.ty(),
                op.cx().ty(ty)
            )));
        }
    }
    Ok(())
}

fn verify_dicts(op: OpRef<'_>, name: &str, count: usize, what: &str) -> Result<(), Diagnostic> {
    let Some(all) = op.attr(name) else { return Ok(()) };
    let dicts = all.elements();
    if dicts.len() != count {
        return Err(op.error(format_args!(
            "expects {what} attribute array to have the same number of elements as the number of function {what}s, got {}, \
             but expected {count}",
            dicts.len()
        )));
    }
    for dict in dicts {
        if dict.entries().iter().any(|(key, _)| !op.cx().str(*key).contains('.')) {
            return Err(op.error(format_args!("{what}s may only have dialect attributes")));
        }
    }
    Ok(())
}

/// Checks that there are attributes for as many arguments and results as there are of these types, or for none, and has their dialects check them.
///
/// # Errors
/// That there are more or fewer, or what the first dialect says that finds a fault.
pub fn verify_signature_attrs(op: OpRef<'_>, inputs: &[Type], results: &[Type]) -> Result<(), Diagnostic> {
    verify_dicts(op, ARG_ATTRS, inputs.len(), "argument")?;
    verify_dicts(op, RES_ATTRS, results.len(), "result")?;
    let cx = op.cx();
    for (list, types) in [(ARG_ATTRS, inputs), (RES_ATTRS, results)] {
        let dicts = op.attr(list).into_iter().flat_map(AttrRef::elements);
        for (dict, &ty) in dicts.zip(types) {
            for &(name, value) in dict.entries() {
                let name = cx.str(name);
                let dialect = name.split_once('.').and_then(|(dialect, _)| cx.dialect(dialect));
                let Some(verify) = dialect.and_then(|dialect| dialect.verify_signature_attr) else { continue };
                let attr = SignatureAttr { name, value: cx.attr(value), ty: cx.ty(ty), is_result: list == RES_ATTRS };
                verify(op, attr).map_err(|message| Diagnostic::error(op.loc(), message))?;
            }
        }
    }
    Ok(())
}
