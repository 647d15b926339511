// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a program's PTX and cubins (CuModule) as functions on its GPU.
#include "cuda.h"

namespace kiln {

/// __load_code(PTX or a cubin, entry, arguments as kernels see them): a CuFunction for the arguments' types
Result<Value> CudaLibrary::load_code(Args args) {
  KILN_CHECK(open());
  const std::string *code = args[0].as_string(), *entry = args[1].as_string();
  const std::vector<Value> *given = args[2].fields();
  if (!code || !entry || !given)
    return make_error(ErrorCode::MethodError,
                      "a module is the text of PTX or a cubin, and its functions have names");
  if (!device_.is_gpu())
    return make_error(ErrorCode::ArgumentError,
                      "PTX and cubins run on GPUs, and this program's device is the CPU", {},
                      "kiln script --device cuda runs it on a GPU");
  auto artifact = std::make_shared<Artifact>();
  artifact->kind = code->starts_with("\x7f"
                                     "ELF")
                       ? ArtifactKind::Cubin
                       : ArtifactKind::Assembly;
  artifact->bytes = *code;
  artifact->entry = *entry;
  std::vector<TypeRef> types;
  for (const Value &value : *given) {
    const Layout *layout = layout_of(types_, value.type());
    if (!layout)
      return make_error(ErrorCode::ArgumentError, "arguments of a module's function are of bits types");
    artifact->parameters.push_back(
        {.argument = uint32_t(types.size()), .size = layout->size, .align = uint32_t(layout->align)});
    types.push_back(value.type());
  }
  auto loaded = owner_.load_kernel(std::move(artifact), device_);
  if (!loaded.ok()) {
    Error error = loaded.take_error();
    return make_error(ErrorCode::ArgumentError, error.diagnostics().front().message);
  }
  auto compiled = std::make_shared<Compiled>(types_.nothing(), Options{}, std::move(types), false);
  compiled->code.kernel = std::move(*loaded);
  return object("CuFunction", std::move(compiled));
}

} // namespace kiln
