// What LLVM's C interface leaves out: the names of a target's CPUs and features. LLVM itself only prints a warning about an unknown one.

#include "llvm-c/TargetMachine.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using Visitor = void (*)(void *data, const char *name);

static const llvm::MCSubtargetInfo &subtarget(LLVMTargetMachineRef machine) {
  return *reinterpret_cast<llvm::TargetMachine *>(machine)->getMCSubtargetInfo();
}

extern "C" void dl_llvm_visit_cpus(LLVMTargetMachineRef machine, Visitor visit,
                                   void *data) {
  for (const llvm::SubtargetSubTypeKV &cpu :
       subtarget(machine).getAllProcessorDescriptions())
    visit(data, cpu.Key);
}

extern "C" void dl_llvm_visit_features(LLVMTargetMachineRef machine, Visitor visit,
                                       void *data) {
  for (const llvm::SubtargetFeatureKV &feature :
       subtarget(machine).getAllProcessorFeatures())
    visit(data, feature.Key);
}
