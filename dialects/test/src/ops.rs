//! Definitions.

use dl_ir::constraints::{ANY_ATTR, ANY_MEMREF, ANY_TENSOR, ANY_TYPE, I32, INDEX, STR_ATTR, SYMBOL_NAME_ATTR};
use dl_ir::opdef::{AttrConstraint, AttrForm};
use dl_ir::{OpDefinition, OpEntry};

static ANY_INTEGER: AttrConstraint =
    AttrConstraint::new("an integer", |attr| attr.as_ap_int().is_some(), AttrForm::Any);

static SYMBOL: AttrConstraint = AttrConstraint::new("a symbol", |attr| attr.is_flat_symbol_ref(), AttrForm::SymbolRef);

dl_ir::op! {
    /// A value that nothing is known of but an attribute, whose type need not agree.
    ConstantOp = "test.constant" {
        attrs: [value "value": Required(ANY_ATTR)],
        results: [res: Single(ANY_TYPE)],
        traits: [NoMemoryEffect],
    }

    /// Branches to its successor and hands on its operands.
    BrOp = "test.br" {
        operands: [target_operands: Variadic(ANY_TYPE)],
        successors: [target: Single()],
        traits: [Terminator],
    }

    /// Two lists of operands of one length around an operand.
    MixedNormalVariadicOperandOp = "test.mixed_normal_variadic_operand" {
        operands: [input1: Variadic(ANY_TENSOR), input2: Single(ANY_TENSOR), input3: Variadic(ANY_TENSOR)],
        traits: [SameVariadicOperandSize],
    }

    /// Operands whose types stand apart from them.
    VariadicArgsTypesSplitOp = "test.variadic_args_types_split" {
        operands: [args: Variadic(ANY_TYPE)],
        attrs: [name "name": Required(STR_ATTR)],
        format: "$name $args attr-dict `:` type($args)",
    }

    /// A symbol with a result, which no symbol may have.
    SymbolWithResultOp = "test.symbol_with_result" {
        attrs: [sym_name "sym_name": Required(SYMBOL_NAME_ATTR)],
        results: [result: Single(ANY_TYPE)],
        traits: [Symbol],
    }

    /// Written with the name of an operation.
    ParseCustomOperationNameApiOp = "test.parse_custom_operation_name_api" {
        attrs: [name "name": Required(STR_ATTR)],
        format: custom,
    }

    /// Something that can be done to each element by itself.
    ElementwiseMappableOp = "test.elementwise_mappable" {
        operands: [operands: Variadic(ANY_TYPE)],
        results: [results: Variadic(ANY_TYPE)],
        traits: [Elementwise, Scalarizable, Vectorizable, Tensorizable],
    }

    /// A region whose operations are in no order.
    GraphRegionOp = "test.graph_region" {
        regions: [region: Any()],
        traits: [NoTerminator, GraphRegion],
        format: "attr-dict-with-keyword $region",
    }

    /// Regions whose operations run in order.
    SsacfgRegionOp = "test.ssacfg_region" {
        results: [results: Variadic(ANY_TYPE)],
        regions: [regions: Any(variadic)],
    }

    /// A region whose operations are in no order and use nothing around it.
    IsolatedGraphRegionOp = "test.isolated_graph_region" {
        regions: [region: Any()],
        traits: [NoTerminator, GraphRegion, IsolatedFromAbove],
        format: "attr-dict-with-keyword $region",
    }

    /// A region that uses nothing around it.
    IsolatedRegionsOp = "test.isolated_regions" {
        regions: [region: Any()],
        traits: [IsolatedFromAbove],
        format: "attr-dict-with-keyword $region",
    }

    /// A region at whose top level values may be symbols of affine maps.
    AffineScopeOp = "test.affine_scope" {
        regions: [region: Exactly(1)],
        traits: [AffineScope],
        format: "attr-dict-with-keyword $region",
    }

    /// A region at whose end what is allocated on the stack is free again.
    AllocaScopeRegionOp = "test.alloca_scope_region" {
        regions: [region: Any()],
        traits: [AutomaticAllocationScope],
        format: "attr-dict-with-keyword $region",
    }

    /// A region of one block without an end.
    SingleNoTerminatorOp = "test.single_no_terminator_op" {
        regions: [region: Any()],
        traits: [NoTerminator, SingleBlock],
        format: "attr-dict `:` $region",
    }

    /// Computes something in a block of its own. Equal ones have equal results.
    CseOfSingleBlockOp = "test.cse_of_single_block_op" {
        operands: [inputs: Variadic(ANY_TYPE)],
        results: [result: Single(ANY_TYPE)],
        regions: [region: Exactly(1)],
        traits: [Pure, SingleBlock],
        format: "`inputs` `(` $inputs `)` $region attr-dict `:` type($inputs) `->` type($result)",
    }

    /// A loop whose operations are in no order.
    GraphLoopOp = "test.graph_loop" {
        operands: [operands: Variadic(ANY_TYPE)],
        results: [results: Variadic(ANY_TYPE)],
        regions: [body: Exactly(1)],
        traits: [RecursivelySpeculatable, RecursiveMemoryEffects, GraphRegion],
        format: "$operands $body attr-dict `:` functional-type(operands, results)",
    }

    /// Reads some memory.
    OpWithMemreadOp = "test.op_with_memread" {
        results: [result: Single(ANY_TYPE)],
    }

    /// Writes some memory.
    OpWithMemwriteOp = "test.op_with_memwrite" {}

    /// Has no effect, wherever it is executed.
    AlwaysSpeculatableOp = "test.always_speculatable_op" {
        results: [result: Single(I32)],
        traits: [NoMemoryEffect, AlwaysSpeculatable],
    }

    /// Has no effect where it is executed, and may have some where it is not.
    NeverSpeculatableOp = "test.never_speculatable_op" {
        results: [result: Single(I32)],
        traits: [NoMemoryEffect],
    }

    /// Has no effect, wherever it is executed, if its operand is a constant.
    ConditionallySpeculatableOp = "test.conditionally_speculatable_op" {
        operands: [input: Single(I32)],
        results: [result: Single(I32)],
        traits: [NoMemoryEffect],
    }

    /// Has the effects of what is in its region.
    RecursivelySpeculatableOp = "test.recursively_speculatable_op" {
        results: [result: Single(I32)],
        regions: [body: Exactly(1)],
        traits: [RecursivelySpeculatable, RecursiveMemoryEffects],
    }

    /// Anything with one region.
    OneRegionOp = "test.one_region_op" {
        regions: [region: Any()],
    }

    /// Writes to its outputs, and has further operands and results.
    DestinationStyleOp = "test.destination_style_op" {
        operands: [
            inputs: Variadic(ANY_TYPE),
            outputs: Variadic(ANY_TYPE),
            other_operands: Variadic(ANY_TYPE),
        ],
        results: [results: Variadic(ANY_TYPE)],
        traits: [AttrSizedOperandSegments, DestinationStyle],
        format: "attr-dict (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`(` $other_operands^ `:` type($other_operands) `)`)? (`->` type($results)^)?",
    }

    /// Copies one buffer to another.
    CopyOp = "test.copy" {
        operands: [source: Single(ANY_MEMREF, READ), target: Single(ANY_MEMREF, WRITE)],
        format: "`(` $source `,` $target `)` `:` `(` type($source) `,` type($target) `)` attr-dict",
    }

    /// Has the effects that the attribute `effects` lists.
    SideEffectOp = "test.side_effect_op" {
        results: [result: Single(ANY_TYPE)],
    }

    /// Has the effects of what is in it.
    OneRegionWithRecursiveMemoryEffectsOp = "test.one_region_with_recursive_memory_effects" {
        results: [result: Variadic(ANY_TYPE)],
        regions: [body: Any()],
        traits: [RecursiveMemoryEffects, SingleBlock],
    }

    /// Ends a region and hands on its operands.
    ReturnOp = "test.return" {
        operands: [operands: Variadic(ANY_TYPE)],
        traits: [Pure, ReturnLike, Terminator],
    }

    /// Reads a buffer.
    ReadBufferOp = "test.read_buffer" {
        operands: [buffer: Single(ANY_MEMREF, READ)],
    }

    /// Reads one buffer and writes another.
    BufferBasedOp = "test.buffer_based" {
        operands: [input: Single(ANY_MEMREF, READ), output: Single(ANY_MEMREF, WRITE)],
        traits: [DestinationStyle],
        format: "`in` `(` $input `:` type($input) `)` `out` `(` $output `:` type($output) `)` attr-dict",
    }

    /// Reads one buffer and writes another what its region computes.
    RegionBufferBasedOp = "test.region_buffer_based" {
        operands: [input: Single(ANY_MEMREF, READ), output: Single(ANY_MEMREF, WRITE)],
        regions: [region: Any()],
        traits: [DestinationStyle],
        format: "`in` `(` $input `:` type($input) `)` `out` `(` $output `:` type($output) `)` $region attr-dict",
    }

    /// Runs one of two regions on its operands, and a third one on what that gives.
    RegionIfOp = "test.region_if" {
        operands: [operands: Variadic(ANY_TYPE)],
        results: [results: Variadic(ANY_TYPE)],
        regions: [then_region: Any(), else_region: Any(), join_region: Any()],
        traits: [SingleBlock, RecursiveMemoryEffects],
        format: custom,
    }

    /// Ends a region of `test.region_if`.
    RegionIfYieldOp = "test.region_if_yield" {
        operands: [results: Variadic(ANY_TYPE)],
        traits: [Pure, ReturnLike, Terminator],
        format: "$results `:` type($results) attr-dict",
    }

    /// Ends a region.
    RegionYieldOp = "test.region_yield" {
        operands: [result: Single(ANY_TYPE)],
        traits: [Pure, ReturnLike, Terminator],
        format: "$result `:` type($result) attr-dict",
    }

    /// Does not care about the order of its operands.
    OpCommutativeOp = "test.op_commutative" {
        operands: [op1: Single(I32), op2: Single(I32), op3: Single(I32), op4: Single(I32)],
        results: [result: Single(I32)],
        traits: [Commutative],
    }

    /// Vanishes by a pattern, although it has a region.
    OpWithRegionPatternOp = "test.op_with_region_pattern" {
        regions: [region: Exactly(1)],
    }

    /// Takes buffers of any shape.
    OpNormOp = "test.op_norm" {
        operands: [x: Single(ANY_MEMREF), y: Single(ANY_MEMREF)],
        traits: [Interface("MemRefsNormalizable")],
    }

    /// The same with results.
    OpNormRetOp = "test.op_norm_ret" {
        operands: [x: Single(ANY_MEMREF)],
        results: [y: Single(ANY_MEMREF), z: Single(ANY_MEMREF)],
        traits: [Interface("MemRefsNormalizable")],
    }

    /// Folds to its operand, although it has a region.
    OpWithRegionFoldOp = "test.op_with_region_fold" {
        operands: [operand: Single(ANY_TYPE)],
        results: [result: Single(ANY_TYPE)],
        regions: [region: Exactly(1)],
    }

    /// Has a region and no effect.
    OpWithRegionFoldNoSideEffectOp = "test.op_with_region_fold_no_side_effect" {
        regions: [region: Exactly(1)],
        traits: [NoMemoryEffect],
    }

    /// Ends the regions of the operations above.
    OpWithRegionTerminatorOp = "test.op_with_region_terminator" {
        traits: [Pure, Terminator],
    }

    /// Folds to its operands, one for each result.
    OpWithVariadicResultsAndFolderOp = "test.op_with_variadic_results_and_folder" {
        operands: [operands: Variadic(ANY_TYPE)],
        results: [results: Variadic(ANY_TYPE)],
    }

    /// Becomes 42.
    DialectCanonicalizableOp = "test.dialect_canonicalizable" {
        results: [result: Single(I32)],
    }

    /// Its only effect is to allocate what is its result.
    TestEffectsResultOp = "test.test_effects_result" {
        results: [result: Single(I32, ALLOCATE)],
    }

    /// Hands on a buffer.
    ForwardBufferOp = "test.forward_buffer" {
        operands: [buffer: Single(ANY_MEMREF)],
        results: [result: Single(ANY_MEMREF)],
        traits: [Pure],
    }

    /// Allocates a buffer, its second result.
    AllocWithMultipleResultsOp = "test.alloc_with_multiple_results" {
        results: [index: Single(INDEX), memref: Single(ANY_MEMREF, ALLOCATE)],
        format: "attr-dict `:` type($index) `,` type($memref)",
    }

    /// Some integer within bounds.
    WithBoundsOp = "test.with_bounds" {
        attrs: [
            umin "umin": Required(ANY_INTEGER),
            umax "umax": Required(ANY_INTEGER),
            smin "smin": Required(ANY_INTEGER),
            smax "smax": Required(ANY_INTEGER),
        ],
        results: [result: Single(ANY_TYPE)],
        traits: [Pure],
        format: "attr-dict `:` type($result)",
    }

    /// Its operand. What is found out about the range of that is written into the attributes.
    ReflectBoundsOp = "test.reflect_bounds" {
        operands: [value: Single(ANY_TYPE)],
        attrs: [
            umin "umin": Optional(ANY_INTEGER),
            umax "umax": Optional(ANY_INTEGER),
            smin "smin": Optional(ANY_INTEGER),
            smax "smax": Optional(ANY_INTEGER),
        ],
        results: [result: Single(ANY_TYPE)],
        traits: [SameOperandsAndResultType],
        format: "attr-dict $value `:` type($value)",
    }

    /// Allocates memory that its results point to.
    MultiSlotAllocaOp = "test.multi_slot_alloca" {
        results: [results: Variadic(ANY_TYPE)],
        format: "attr-dict `:` functional-type(operands, results)",
    }

    /// Calls with some of its operands; another one is its own.
    CallOnDeviceOp = "test.call_on_device" {
        operands: [forwarded: Variadic(ANY_TYPE), device: Single(ANY_TYPE)],
        attrs: [callee "callee": Required(SYMBOL)],
        results: [results: Variadic(ANY_TYPE)],
        format: "$callee `(` $forwarded `)` `,` $device attr-dict `:` functional-type(operands, results)",
    }

    /// Becomes a call by canonicalization.
    FoldToCallOp = "test.fold_to_call_op" {
        attrs: [callee "callee": Required(SYMBOL)],
    }

    /// A symbol table.
    SymbolScopeOp = "test.symbol_scope" {
        regions: [region: Exactly(1)],
        traits: [SymbolTable],
    }
}

/// All operations.
pub(crate) const OPS: &[OpEntry] = &[
    AffineScopeOp::ENTRY,
    AllocWithMultipleResultsOp::ENTRY,
    AllocaScopeRegionOp::ENTRY,
    AlwaysSpeculatableOp::ENTRY,
    BrOp::ENTRY,
    BufferBasedOp::ENTRY,
    CallOnDeviceOp::ENTRY,
    ConditionallySpeculatableOp::ENTRY,
    ConstantOp::ENTRY,
    CopyOp::ENTRY,
    CseOfSingleBlockOp::ENTRY,
    DestinationStyleOp::ENTRY,
    DialectCanonicalizableOp::ENTRY,
    ElementwiseMappableOp::ENTRY,
    FoldToCallOp::ENTRY,
    ForwardBufferOp::ENTRY,
    GraphLoopOp::ENTRY,
    GraphRegionOp::ENTRY,
    IsolatedGraphRegionOp::ENTRY,
    IsolatedRegionsOp::ENTRY,
    MixedNormalVariadicOperandOp::ENTRY,
    MultiSlotAllocaOp::ENTRY,
    NeverSpeculatableOp::ENTRY,
    OneRegionOp::ENTRY,
    OneRegionWithRecursiveMemoryEffectsOp::ENTRY,
    OpCommutativeOp::ENTRY,
    OpNormOp::ENTRY,
    OpNormRetOp::ENTRY,
    OpWithMemreadOp::ENTRY,
    OpWithMemwriteOp::ENTRY,
    OpWithRegionFoldNoSideEffectOp::ENTRY,
    OpWithRegionFoldOp::ENTRY,
    OpWithRegionPatternOp::ENTRY,
    OpWithRegionTerminatorOp::ENTRY,
    OpWithVariadicResultsAndFolderOp::ENTRY,
    ParseCustomOperationNameApiOp::ENTRY,
    ReadBufferOp::ENTRY,
    RecursivelySpeculatableOp::ENTRY,
    ReflectBoundsOp::ENTRY,
    RegionBufferBasedOp::ENTRY,
    RegionIfOp::ENTRY,
    RegionIfYieldOp::ENTRY,
    RegionYieldOp::ENTRY,
    ReturnOp::ENTRY,
    SideEffectOp::ENTRY,
    SingleNoTerminatorOp::ENTRY,
    SsacfgRegionOp::ENTRY,
    SymbolScopeOp::ENTRY,
    SymbolWithResultOp::ENTRY,
    TestEffectsResultOp::ENTRY,
    VariadicArgsTypesSplitOp::ENTRY,
    WithBoundsOp::ENTRY,
];
