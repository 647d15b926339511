// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembles with nvJitLink in this process. The library is loaded at run time. Its functions are declared
// from NVIDIA's documentation (docs.nvidia.com/cuda/nvjitlink), so that the build needs no toolkit.
#include "architectures.h"

#include "assembler.h"
#include "passes.h"
#include <kiln/extension/language/internal/hint.h>

namespace kiln::ptx {
namespace {

using Handle = void *;
constexpr int InputPtx = 2;

/// nvJitLinkInputType
int input_type(LinkedKind kind) {
  switch (kind) {
  case LinkedKind::Cubin: return 1;
  case LinkedKind::Ptx: return InputPtx;
  case LinkedKind::LtoIr: return 3;
  case LinkedKind::Fatbin: return 4;
  case LinkedKind::Object: return 5;
  case LinkedKind::Archive: return 6;
  case LinkedKind::Bitcode:
  case LinkedKind::LlvmText: break; // already linked into the PTX
  }
  return 0;
}

Result<std::string> device_runtime() {
  const Found found = find_cudadevrt();
  if (found.path.empty())
    return machine_error(
        fmt::format("the kernel launches another, and libcudadevrt.a, which that needs, was not found in {}",
                    found.looked_in),
        "install NVIDIA's CUDA toolkit (or the PyPI package nvidia-cuda-runtime), or name the toolkit's folder in "
        "KILN_CUDA_HOME");
  return read_file(found.path);
}

struct Functions {
  int (*create)(Handle *, uint32_t, const char **) = nullptr;
  int (*destroy)(Handle *) = nullptr;
  int (*add_data)(Handle, int, const void *, size_t, const char *) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*error_log_size)(Handle, size_t *) = nullptr;
  int (*error_log)(Handle, char *) = nullptr;
  int (*info_log_size)(Handle, size_t *) = nullptr;
  int (*info_log)(Handle, char *) = nullptr;
  int (*cubin_size)(Handle, size_t *) = nullptr;
  int (*cubin)(Handle, void *) = nullptr;
  int (*version)(unsigned *, unsigned *) = nullptr;
};

class NvJitLink final : public ToolkitAssembler {
public:
  NvJitLink(DynamicLibrary library, const Functions &functions)
      : library_(std::move(library)), functions_(functions) {
    unsigned major = 0, minor = 0;
    functions_.version(&major, &minor);
    identity_ = fmt::format("nvJitLink {}.{}", major, minor);
  }

  const std::string &identity() const override { return identity_; }
  const std::string &path() const override { return library_.path(); }

private:
  Result<Output> make(const CompilerConfig &config, const std::vector<std::string> &of_assembler,
                      const std::string &text, const SourceMap &sources) const override {
    // Disable nvJitLink's own cache: it is in the user's home, has no size limit, and would be searched
    // before Kiln's cache.
    std::vector<std::string> options{"-arch=" + arch_name(arch_of(config.target.get<PtxOptions>())),
                                     "-no-cache"};
    for (const std::string &option : of_assembler)
      options.push_back(option == "-lineinfo" ? option : "-Xptxas=" + option);
    for (const LinkedFile &file : config.linked)
      if (file.kind == LinkedKind::LtoIr) {
        options.push_back("-lto");
        break;
      }
    std::vector<const char *> pointers;
    for (const std::string &option : options) pointers.push_back(option.c_str());
    Link link(functions_);
    if (int status = functions_.create(&link.handle, uint32_t(pointers.size()), pointers.data()))
      return make_error(
          ErrorCode::AssemblerError,
          fmt::format("{} does not take {} (status {})", identity_, fmt::join(options, " "), status), {},
          "its toolkit may not know this architecture: " + option_hint("arch") +
              " names another, KILN_CUDA_HOME another toolkit");
    int status = functions_.add_data(link.handle, InputPtx, text.c_str(), text.size() + 1,
                                     "kernel.ptx"); // the size includes the terminating zero byte
    for (const LinkedFile &file : config.linked) {
      if (status != 0 || is_llvm_ir(file)) continue;
      // The size includes the terminating zero byte of PTX text, but not of other inputs.
      size_t size = file.bytes->size() + (file.kind == LinkedKind::Ptx ? 1 : 0);
      if (functions_.add_data(link.handle, input_type(file.kind), file.bytes->c_str(), size,
                              file.name.c_str()) != 0)
        return make_error(ErrorCode::AssemblerError,
                          fmt::format("{} cannot be linked: {}", file.name,
                                      log(link.handle, functions_.error_log_size, functions_.error_log)));
    }
    if (status == 0 && launches_grids(text)) {
      KILN_TRY(std::string runtime, device_runtime());
      status = functions_.add_data(link.handle, input_type(LinkedKind::Archive), runtime.data(),
                                   runtime.size(), "libcudadevrt.a");
    }
    if (status == 0) status = functions_.complete(link.handle);
    if (status != 0)
      return assembler_error(log(link.handle, functions_.error_log_size, functions_.error_log), text,
                             identity_, sources);
    std::string cubin;
    size_t size = 0;
    if (functions_.cubin_size(link.handle, &size) == 0) cubin.resize(size);
    if (size == 0 || functions_.cubin(link.handle, cubin.data()) != 0)
      return internal_error(identity_ + " gave no cubin");
    return Output{std::move(cubin), log(link.handle, functions_.info_log_size, functions_.info_log)};
  }

  struct Link {
    explicit Link(const Functions &functions) : functions(functions) {}
    ~Link() {
      if (handle) functions.destroy(&handle);
    }
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;
    const Functions &functions;
    Handle handle = nullptr;
  };

  static std::string log(Handle handle, int (*size_of)(Handle, size_t *), int (*read)(Handle, char *)) {
    size_t size = 0;
    if (size_of(handle, &size) != 0 || size == 0) return {};
    std::string text(size, '\0');
    if (read(handle, text.data()) != 0) return {};
    text.resize(text.find('\0') == std::string::npos ? size : text.find('\0'));
    return text;
  }

  DynamicLibrary library_;
  Functions functions_;
  std::string identity_;
};

} // namespace

Result<std::unique_ptr<Assembler>> open_nvjitlink(const Found &found) {
  KILN_TRY(DynamicLibrary library, DynamicLibrary::open({found.path}));
  Functions functions;
  std::string missing;
  auto bind = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(library.symbol(name));
    if (!function) missing = name;
  };
  bind(functions.create, "nvJitLinkCreate");
  bind(functions.destroy, "nvJitLinkDestroy");
  bind(functions.add_data, "nvJitLinkAddData");
  bind(functions.complete, "nvJitLinkComplete");
  bind(functions.error_log_size, "nvJitLinkGetErrorLogSize");
  bind(functions.error_log, "nvJitLinkGetErrorLog");
  bind(functions.info_log_size, "nvJitLinkGetInfoLogSize");
  bind(functions.info_log, "nvJitLinkGetInfoLog");
  bind(functions.cubin_size, "nvJitLinkGetLinkedCubinSize");
  bind(functions.cubin, "nvJitLinkGetLinkedCubin");
  bind(functions.version, "nvJitLinkVersion");
  if (!missing.empty())
    return machine_error(
        fmt::format("{} has no function {}: it is older than CUDA 12.3", found.path, missing));
  return std::unique_ptr<Assembler>(new NvJitLink(std::move(library), functions));
}

} // namespace kiln::ptx
