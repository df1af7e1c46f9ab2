// What LLVM's C interface leaves out: copies of a module with some of its definitions only.

#include "llvm-c/Core.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

// Whether nothing in a module ties definitions together: groups of which the linker takes one, other names for a definition, lists that the
// linker joins, variables that each thread has for itself, and addresses of blocks.
extern "C" bool dl_llvm_is_divisible(LLVMModuleRef module) {
  const llvm::Module &whole = *llvm::unwrap(module);
  for (const llvm::GlobalVariable &global : whole.globals())
    if (global.hasAppendingLinkage() || global.isThreadLocal())
      return false;
  for (const llvm::Function &function : whole)
    for (const llvm::BasicBlock &block : function)
      if (block.hasAddressTaken())
        return false;
  return whole.alias_empty() && whole.ifunc_empty() &&
         whole.getComdatSymbolTable().empty();
}

// A copy with the definitions that `keeps` says; of the others there are declarations.
extern "C" LLVMModuleRef
dl_llvm_copy_definitions(LLVMModuleRef module,
                         bool (*keeps)(void *data, LLVMValueRef value),
                         void *data) {
  llvm::ValueToValueMapTy copies;
  return llvm::wrap(llvm::CloneModule(*llvm::unwrap(module), copies,
                                      [=](const llvm::GlobalValue *value) {
                                        return keeps(data, llvm::wrap(value));
                                      })
                        .release());
}
