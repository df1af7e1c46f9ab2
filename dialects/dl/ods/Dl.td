// The definitions of the `dl` dialect.

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Dl_Dialect : Dialect {
  let name = "dl";
  let cppNamespace = "::dl";
  let useDefaultAttributePrinterParser = 1;
}

def Dl_TargetAttr : AttrDef<Dl_Dialect, "Target"> {
  let mnemonic = "target";
  let parameters = (ins
    StringRefParameter<"CPU, by LLVM's name">:$cpu,
    StringRefParameter<"instruction set">:$arch,
    "unsigned":$vector_bits,
    "unsigned":$vector_registers,
    "uint64_t":$l1d,
    "unsigned":$l1d_ways,
    "uint64_t":$l2,
    "unsigned":$l2_ways,
    "uint64_t":$l3,
    "unsigned":$l3_ways,
    "unsigned":$cores,
    StringRefParameter<"extensions, by LLVM's names, with commas">:$features
  );
  let assemblyFormat = "`<` struct(params) `>`";
}
