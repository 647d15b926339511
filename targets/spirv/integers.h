#pragma once
#include <kiln/result.h>
namespace llvm { class Module; }
namespace kiln::spirv {
inline Result<void> legalize_integers(llvm::Module &) { return {}; }
}
