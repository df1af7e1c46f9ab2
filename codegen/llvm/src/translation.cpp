// What MLIR's C interface has only together with all dialects and passes: the translation of a dialect to LLVM IR.

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

// Makes what is translated, builtin.module and the llvm dialect, known to a context.
extern "C" void dl_mlir_register_translations(MlirContext context) {
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  unwrap(context)->appendDialectRegistry(registry);
}
