use dl_ir::DialectBuilder;
pub(super) fn attach(_: &mut DialectBuilder) {}
