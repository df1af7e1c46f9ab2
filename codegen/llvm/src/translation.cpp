// What MLIR's C interface has only together with all of its dialects and passes: the translations of dialects to LLVM IR.

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

// Makes the dialects that have a translation known to a context, with that.
extern "C" void dl_mlir_register_translations(MlirContext context) {
  mlir::DialectRegistry registry;
  mlir::registerAllToLLVMIRTranslations(registry);
  unwrap(context)->appendDialectRegistry(registry);
}
