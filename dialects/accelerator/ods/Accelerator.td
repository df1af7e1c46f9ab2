// The definitions of the `accelerator` dialect.

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Accelerator_Dialect : Dialect {
  let name = "accelerator";
  let cppNamespace = "::accelerator";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

// Types and attributes.

class Accelerator_Attr<string name, string attrMnemonic> : AttrDef<Accelerator_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Accelerator_TargetAttr : Accelerator_Attr<"Target", "target"> {
  let parameters = (ins "DictionaryAttr":$description);
  let assemblyFormat = "`<` $description `>`";
}

def Accelerator_MemoryAttr : Accelerator_Attr<"Memory", "memory"> {
  let parameters = (ins StringRefParameter<"name in the description of the machine">:$name);
  let assemblyFormat = "`<` $name `>`";
}

def Accelerator_TokenType : TypeDef<Accelerator_Dialect, "Token"> {
  let mnemonic = "token";
}

class Accelerator_Enum<string name, string enumMnemonic, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, "", cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::accelerator";
  string attrMnemonic = enumMnemonic;
}

def Accelerator_BinaryKind : Accelerator_Enum<"BinaryKind", "binary_kind", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Sub", 1, "sub">,
    I32EnumAttrCase<"Mul", 2, "mul">,
    I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Min", 4, "min">,
    I32EnumAttrCase<"Div", 5, "div">,
  ]>;
def Accelerator_BinaryKindAttr : EnumAttr<Accelerator_Dialect, Accelerator_BinaryKind, "binary_kind">;

def Accelerator_UnaryKind : Accelerator_Enum<"UnaryKind", "unary_kind", [
    I32EnumAttrCase<"Copy", 0, "copy">,
    I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"Neg", 2, "neg">,
    I32EnumAttrCase<"Abs", 3, "abs">,
    I32EnumAttrCase<"Exp", 4, "exp">,
    I32EnumAttrCase<"Tanh", 5, "tanh">,
    I32EnumAttrCase<"Sigmoid", 6, "sigmoid">,
    I32EnumAttrCase<"Gelu", 7, "gelu">,
    I32EnumAttrCase<"Reciprocal", 8, "reciprocal">,
    I32EnumAttrCase<"Sqrt", 9, "sqrt">,
    I32EnumAttrCase<"Rsqrt", 10, "rsqrt">,
  ]>;
def Accelerator_UnaryKindAttr : EnumAttr<Accelerator_Dialect, Accelerator_UnaryKind, "unary_kind">;

def Accelerator_ReduceKind : Accelerator_Enum<"ReduceKind", "reduce_kind", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">,
  ]>;
def Accelerator_ReduceKindAttr : EnumAttr<Accelerator_Dialect, Accelerator_ReduceKind, "reduce_kind">;

def Accelerator_PoolKind : Accelerator_Enum<"PoolKind", "pool_kind", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"Average", 1, "average">,
  ]>;
def Accelerator_PoolKindAttr : EnumAttr<Accelerator_Dialect, Accelerator_PoolKind, "pool_kind">;

def Accelerator_Buffer : MemRefRankOf<[AnyType], [1, 2, 3]>;
def Accelerator_Matrix : MemRefRankOf<[AnyType], [2]>;
def Accelerator_Scales : MemRefRankOf<[F32, I32], [2]>;

// What runs where.

class Accelerator_Op<string opMnemonic, list<Trait> traits = []> : Op<Accelerator_Dialect, opMnemonic, traits>;

def Accelerator_LaunchOp : Accelerator_Op<"launch",
    [IsolatedFromAbove, SingleBlock, NoTerminator, NoMemoryEffect]> {
  let summary = "runs a program on an accelerator";
  let arguments = (ins Accelerator_TargetAttr:$target, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $target `(` $inputs `)` attr-dict-with-keyword `:` functional-type($inputs, $outputs) $body
  }];
}

def Accelerator_CoreOp : Accelerator_Op<"core",
    [HasParent<"LaunchOp">, SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "the instructions of a core";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$id);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$id attr-dict-with-keyword $body";
}

def Accelerator_BarrierOp : Accelerator_Op<"barrier",
    [HasParent<"LaunchOp">, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all cores meet";
  let assemblyFormat = "attr-dict";
}

// Memory.

def Accelerator_AllocOp : Accelerator_Op<"alloc"> {
  let summary = "a buffer in a memory of the machine";
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let results = (outs Res<AnyStaticShapeMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` type($buffer)";
}

def Accelerator_DeallocOp : Accelerator_Op<"dealloc"> {
  let summary = "ends the life of a buffer";
  let arguments = (ins Arg<AnyRankedOrUnrankedMemRef, "", [MemFree]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

def Accelerator_DmaStartOp : Accelerator_Op<"dma_start"> {
  let summary = "begins to move data";
  let arguments = (ins
    Arg<Accelerator_Buffer, "", [MemRead]>:$source,
    Arg<Accelerator_Buffer, "", [MemWrite]>:$destination,
    OptionalAttr<DenseI64ArrayAttr>:$low,
    OptionalAttr<DenseI64ArrayAttr>:$high,
    OptionalAttr<AnyAttr>:$value,
    Variadic<Accelerator_TokenType>:$after);
  let results = (outs Accelerator_TokenType:$token);
  let assemblyFormat = [{
    $source `to` $destination (`pad` $low^ $high `with` $value)? (`after` $after^)? attr-dict
    `:` type($source) `to` type($destination)
  }];
}

def Accelerator_ReadyOp : Accelerator_Op<"ready", [Pure]> {
  let summary = "a token of nothing, which need not be waited for";
  let results = (outs Accelerator_TokenType:$token);
  let assemblyFormat = "attr-dict";
}

def Accelerator_WaitOp : Accelerator_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "nothing later is issued before tokens are signalled";
  let arguments = (ins Variadic<Accelerator_TokenType>:$tokens);
  let assemblyFormat = "($tokens^) : (`none`)? attr-dict";
}

// The matrix unit.

def Accelerator_MatmulTileOp : Accelerator_Op<"matmul_tile", [AttrSizedOperandSegments]> {
  let summary = "multiplies two tiles";
  let arguments = (ins
    Arg<Accelerator_Matrix, "", [MemRead]>:$lhs,
    Arg<Accelerator_Matrix, "", [MemRead]>:$rhs,
    Arg<Accelerator_Matrix, "", [MemRead, MemWrite]>:$sums,
    Optional<I1>:$accumulate,
    Variadic<Accelerator_TokenType>:$after);
  let results = (outs Accelerator_TokenType:$token);
  let assemblyFormat = [{
    $lhs `,` $rhs `to` $sums (`accumulate` $accumulate^)? (`after` $after^)? attr-dict
    `:` type($lhs) `,` type($rhs) `to` type($sums)
  }];
}

// The vector unit.

def Accelerator_BinaryOp : Accelerator_Op<"binary"> {
  let summary = "a function of two elements";
  let arguments = (ins
    Accelerator_BinaryKindAttr:$kind,
    Arg<Accelerator_Matrix, "", [MemRead]>:$lhs,
    Arg<Accelerator_Matrix, "", [MemRead]>:$rhs,
    Arg<Accelerator_Matrix, "", [MemWrite]>:$destination,
    Variadic<Accelerator_TokenType>:$after);
  let results = (outs Accelerator_TokenType:$token);
  let assemblyFormat = [{
    $kind $lhs `,` $rhs `to` $destination (`after` $after^)? attr-dict
    `:` type($lhs) `,` type($rhs) `to` type($destination)
  }];
}

class Accelerator_OfOne<string opMnemonic, dag kind> : Accelerator_Op<opMnemonic> {
  let arguments = !con(kind, (ins
    Arg<Accelerator_Matrix, "", [MemRead]>:$source,
    Arg<Accelerator_Matrix, "", [MemWrite]>:$destination,
    Variadic<Accelerator_TokenType>:$after));
  let results = (outs Accelerator_TokenType:$token);
}

def Accelerator_UnaryOp : Accelerator_OfOne<"unary", (ins Accelerator_UnaryKindAttr:$kind)> {
  let summary = "a function of an element";
  let assemblyFormat = [{
    $kind $source `to` $destination (`after` $after^)? attr-dict `:` type($source) `to` type($destination)
  }];
}

def Accelerator_ReduceOp : Accelerator_OfOne<"reduce", (ins Accelerator_ReduceKindAttr:$kind)> {
  let summary = "makes one element of each row";
  let assemblyFormat = [{
    $kind $source `to` $destination (`after` $after^)? attr-dict `:` type($source) `to` type($destination)
  }];
}

def Accelerator_PoolOp : Accelerator_OfOne<"pool", (ins
    Accelerator_PoolKindAttr:$kind,
    DenseI64ArrayAttr:$image,
    DenseI64ArrayAttr:$window,
    DenseI64ArrayAttr:$strides)> {
  let summary = "makes one pixel of each window of an image";
  let assemblyFormat = [{
    $kind $source `to` $destination `image` $image `window` $window `strides` $strides (`after` $after^)? attr-dict
    `:` type($source) `to` type($destination)
  }];
}

class Accelerator_Scaling<string opMnemonic> : Accelerator_Op<opMnemonic, [AttrSizedOperandSegments]> {
  let arguments = (ins
    Arg<Accelerator_Matrix, "", [MemRead]>:$source,
    Arg<Accelerator_Matrix, "", [MemWrite]>:$destination,
    I32Attr:$zero_point,
    OptionalAttr<F32Attr>:$scale,
    OptionalAttr<DenseI32ArrayAttr>:$fixed,
    Arg<Optional<Accelerator_Scales>, "", [MemRead]>:$scales,
    Variadic<Accelerator_TokenType>:$after);
  let results = (outs Accelerator_TokenType:$token);
  let assemblyFormat = [{
    $source `to` $destination `zero_point` $zero_point (`scale` $scale^)? (`fixed` $fixed^)?
    (`scales` $scales^ `:` type($scales))? (`after` $after^)? attr-dict
    `:` type($source) `to` type($destination)
  }];
}

def Accelerator_RequantizeOp : Accelerator_Scaling<"requantize"> {
  let summary = "scales to a narrow integer";
}

def Accelerator_DequantizeOp : Accelerator_Scaling<"dequantize"> {
  let summary = "scales to a float";
}
