//! `snapshot-op-locations`: operations come from where they stand in the text of the IR at this place of a pipeline.

use dl_ir::diagnostics::Diagnostics;
use dl_ir::location::LocData;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::text::{ParsedSource, PrintOptions, parse_source, print_op};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, Context, Loc, OpRef, Rewriter};

dl_ir::pass_options! {
    /// Options of [`SnapshotOpLocations`].
    pub struct SnapshotOpLocationsOptions {
        /// The file to write the text to
        filename "filename": String = String::new(),
        /// Write where operations come from into the text
        print_debuginfo "print-debuginfo": bool = false,
        /// Write operations in their generic form
        print_op_generic "print-op-generic": bool = false,
        /// Write locations, types and attributes in place, without aliases
        print_local_scope "print-local-scope": bool = false,
        /// Write locations as they stand in messages
        pretty_debuginfo "pretty-debuginfo": bool = false,
        /// The name under which a new location is added to the old one. Where there is none, the old one is replaced
        tag "tag": String = String::new(),
    }
}

/// Writes the operation to a file and has it, and what is nested in it, come from the lines of that.
///
/// A location names the line, from 1, and the column, from 0, where the text of the operation begins. Operations that the text does not show, as
/// terminators that are implied, have the place of the operation around them.
#[derive(Clone, Default)]
pub struct SnapshotOpLocations {
    /// The options.
    pub options: SnapshotOpLocationsOptions,
}

impl Pass for SnapshotOpLocations {
    const INFO: PassInfo =
        PassInfo::new("snapshot-op-locations", "Generate new locations from the current IR").title("LocationSnapshot");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = &self.options;
        if options.filename.is_empty() {
            return Err(cx.root().error("unsupported: a snapshot of locations without a filename").into());
        }
        let print = |debug_info: bool| {
            let options = PrintOptions {
                generic: options.print_op_generic,
                debug_info,
                pretty_debug_info: options.pretty_debuginfo,
                local_scope: options.print_local_scope,
                ..PrintOptions::default()
            };
            let mut text = Vec::new();
            print_op(cx.root(), &options, &mut text).map_err(|error| cx.root().error(error))?;
            Ok::<_, Diagnostics>(text)
        };
        let plain = print(false)?;
        let text = if options.print_debuginfo { print(true)? } else { plain.clone() };
        std::fs::write(&options.filename, &text)
            .map_err(|error| cx.root().error(format_args!("cannot write '{}': {error}", options.filename)))?;

        // Read back, operations have the places that are looked for. The text without locations is read, since those would stand for the places;
        // the other one has more definitions in front, and the same lines.
        let (lines_before, lines_before_plain) = (definitions(&text), definitions(&plain));
        let indents: Vec<u32> = lines(&plain).map(indent).collect();
        let source = cx.ctx.add_source(&options.filename, plain);
        let parsed = parse_source(cx.ctx, &source)?;
        let file = cx.ctx.ident(&options.filename);
        let tag = (!options.tag.is_empty()).then(|| cx.ctx.ident(&options.tag));
        let place = |op: OpRef<'_>| {
            let line = op.cx().file_position(op.loc()).map_or(1, |at| at.line);
            let column = indents.get(line as usize - 1).copied().unwrap_or(0);
            let start = ((line + lines_before).saturating_sub(lines_before_plain), column);
            op.cx().intern_loc(LocData::FileRange { file, start, end: start })
        };
        let relocated = |old: Loc, new: Loc| match tag {
            Some(name) => cx.ctx.fused_loc(&[old, cx.ctx.intern_loc(LocData::Name { name, child: new })], None),
            None => new,
        };
        relocate(cx.ctx, &parsed, cx.ir, &place, &relocated)?;
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
}

/// How many blanks `line` begins with.
fn indent(line: &[u8]) -> u32 {
    line.iter().take_while(|&&byte| byte == b' ').count() as u32
}

/// How many lines stand before the first operation: definitions of aliases, and blank ones.
fn definitions(text: &[u8]) -> u32 {
    lines(text).take_while(|line| matches!(line.first(), None | Some(b'#' | b'!'))).count() as u32
}

/// Gives each operation of `ir`, and of what is nested in it, what `relocated` makes of its location and of the `place` of the operation in
/// `parsed` that its text was read as.
fn relocate(
    cx: &Context,
    parsed: &ParsedSource,
    ir: &mut Arena,
    place: &dyn Fn(OpRef<'_>) -> Loc,
    relocated: &dyn Fn(Loc, Loc) -> Loc,
) -> PassResult {
    let root = OpRef::root(cx, &parsed.module);
    let is_module = parsed.is_explicit && OpRef::root(cx, ir).name_id() == root.name_id();
    let read = if is_module { Some(root) } else { root.regions().flat_map(|region| region.ops()).next() };
    let differs = |ir: &Arena| OpRef::root(cx, ir).error("its text is read back as something else");
    let mut pending = vec![(read.ok_or_else(|| differs(ir))?.body(), ir)];
    while let Some((read, ir)) = pending.pop() {
        let theirs = ops_in_arena(read.arena(), Arena::ROOT);
        let ours = ops_in_arena(ir, Arena::ROOT);
        if theirs.len() != ours.len() {
            return Err(differs(ir).into());
        }
        let (mut inner, mut stubs) = (Vec::new(), Vec::new());
        for (&theirs, &ours) in theirs.iter().zip(&ours) {
            let (theirs, op) = (OpRef::new(cx, read.arena(), theirs), OpRef::new(cx, ir, ours));
            if theirs.name_id() != op.name_id() || theirs.is_stub() != op.is_stub() {
                return Err(differs(ir).into());
            }
            if op.is_stub() {
                inner.push(theirs.body());
                stubs.push(ours);
            }
            let loc = relocated(op.loc(), place(theirs));
            Rewriter::new(cx, ir).set_loc(ours, loc);
        }
        pending.extend(inner.into_iter().zip(ir.children_of(&stubs)));
    }
    Ok(())
}
