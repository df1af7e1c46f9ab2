//! `vector.type_cast`: the same memory as one vector.

use dl_arith::Build;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, TypeRef};
use dl_vector::TypeCastOp;

use crate::descriptor::Descriptor;
use crate::llvm_build::LlvmBuild;

/// The strides of a memref whose elements lie next to one another in order.
fn contiguous_strides(memref: TypeRef<'_>) -> Option<Vec<i64>> {
    let (layout, shape) = (memref.strided_layout()?, memref.shape()?);
    let expected = dl_ir::types::row_major_strides(shape);
    let known = !layout.strides.contains(&DYNAMIC) && layout.strides == expected;
    known.then_some(expected)
}

/// Makes a descriptor of the same pointers.
pub(super) struct TypeCast;

impl ConversionPattern for TypeCast {
    const NAME: &'static str = "vector-type-cast-to-llvm";
    const ROOT: Option<&'static str> = Some(TypeCastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (from, to) = (rw.value_type(rw.op(op).operand(0).id()), rw.value_type(rw.ir().result(op, 0)));
        let loc = rw.op(op).loc();
        contiguous_strides(from).ok_or(NoMatch("elements that are not contiguous"))?;
        let strides = contiguous_strides(to).ok_or(NoMatch("elements that are not contiguous"))?;
        if from.strided_layout().is_none_or(|layout| layout.offset != 0) {
            return Err(NoMatch("an offset"));
        }
        let shape = to.shape().filter(|_| to.has_static_shape()).ok_or(NoMatch("a shape that is not static"))?;
        let ty = rw.convert_type(to.id())?;
        let source = Descriptor { value: operands.one(0) };
        let mut b = Build::new(rw, loc);
        let mut descriptor = Descriptor::poison(&mut b, ty);
        for pointer in [0, 1] {
            let value = b.extract(source.value, &[pointer]);
            descriptor.value = b.insert(descriptor.value, value, &[pointer]);
        }
        descriptor.set_constant_offset(&mut b, 0);
        let index = descriptor.index_type(&b);
        for (dim, (&size, &stride)) in shape.iter().zip(&strides).enumerate() {
            let size = b.llvm_index(index, size);
            descriptor.set_size(&mut b, dim, size);
            let stride = b.llvm_index(index, stride);
            descriptor.set_stride(&mut b, dim, stride);
        }
        rw.replace(op, &[descriptor.value]);
        Ok(())
    }
}
