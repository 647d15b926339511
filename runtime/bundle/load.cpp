// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/bundle.h: a bundle's kernels on devices.
#include "cpu_level.h"
#include "image.h"
#include "state.h"

#include <support/count.h>

#include <algorithm>

namespace kiln {

using namespace bundle;

namespace {

/// One kernel of an open bundle, as what a device loads. Under the state's mutex.
class KernelSource final : public CodeSource {
public:
  KernelSource(Bundle::State &bundle, uint32_t index)
      : bundle_(bundle), reader_(*bundle.reader), kernel_(reader_.kernels()[index]) {}

  std::string name() const override { return std::string(reader_.text(kernel_.name)); }
  Result<PreparedFunction> host_function() override {
    const int host = host_cpu_level(), level = std::min(host, bundle_.options.max_cpu_level);
    const CodeRecord *best = nullptr;
    for (const CodeRecord &code : reader_.codes(kernel_))
      if (code.kind == CodeKind::CpuImage && int(code.level) <= level && (!best || code.level > best->level))
        best = &code;
    if (!best)
      return usage_error(fmt::format("{} has no code for this processor, which is {}: {}", what(),
                                     level ? fmt::format("x86-64-v{}", level) : "no x86-64",
                                     what_there_is()));
    KILN_TRY(auto blob, reader_.blob(*best));
    PreparedFunction function;
    KILN_TRY(function.code, load_image(blob));
    function.artifact = describe(*best, ArtifactKind::Object, {});
    function.memory = memory();
    function.checked = best->flags & Checked;
    function.interruptible = best->flags & Interruptible;
    return function;
  }

  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) override {
    const uint32_t sm = uint32_t(gpu->info().sm);
    const CodeRecord *cubin = nullptr, *ptx = nullptr;
    for (const CodeRecord &code : reader_.codes(kernel_)) {
      const bool is_exact = code.level == sm, is_specific = code.flags & ArchSpecific;
      if (is_specific ? !is_exact : code.level > sm) continue;
      // A cubin runs on GPUs of its own major version; sm_90a's on that one alone.
      if (code.kind == CodeKind::Cubin && code.level / 10 == sm / 10 &&
          (!cubin ||
           std::pair(code.level, is_specific) > std::pair(cubin->level, bool(cubin->flags & ArchSpecific))))
        cubin = &code;
      if (code.kind == CodeKind::Ptx && (!ptx || code.level > ptx->level)) ptx = &code;
    }
    const CodeRecord *chosen = cubin && !(bundle_.options.prefer_ptx && ptx) ? cubin : ptx;
    if (!chosen)
      return usage_error(fmt::format("{} has no code for {}, which is sm_{}: {}", what(), gpu->info().name,
                                     sm, what_there_is()));
    auto &made = bundle_.artifacts[chosen];
    if (!made) {
      KILN_TRY(auto blob, reader_.blob(*chosen));
      made = describe(*chosen, chosen->kind == CodeKind::Cubin ? ArtifactKind::Cubin : ArtifactKind::Assembly,
                      {reinterpret_cast<const char *>(blob.data()), blob.size()});
    }
    return made;
  }

  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &, const DeviceBackend &,
                              const std::function<Result<LoadedKernel>()> &load) override {
    KILN_TRY(LoadedKernel kernel, load());
    kernel.memory = memory();
    return kernel;
  }

private:
  std::string what() const { return fmt::format("{}: {}", reader_.name(), reader_.text(kernel_.name)); }
  std::string what_there_is() const {
    std::string list;
    for (const CodeRecord &code : reader_.codes(kernel_))
      list += fmt::format("{}{}{}", list.empty() ? "" : ", ", code.kind == CodeKind::Ptx ? "PTX for " : "",
                          architecture_of(code));
    return "it has " + (list.empty() ? "none at all" : list) + "; list the target when the bundle is made";
  }
  std::shared_ptr<const Artifact> describe(const CodeRecord &code, ArtifactKind kind,
                                           std::string bytes) const {
    auto artifact = std::make_shared<Artifact>();
    artifact->kind = kind;
    artifact->bytes = std::move(bytes);
    artifact->entry = reader_.text(code.entry);
    artifact->has_kernel_state = code.flags & HasKernelState;
    artifact->needs_cooperative_launch = code.flags & Cooperative;
    artifact->blocks_along_y = code.flags & BlocksAlongY;
    artifact->shared_bytes = code.shared_bytes;
    for (const ParameterRecord &p : reader_.parameters(kernel_))
      artifact->parameters.push_back({.argument = p.argument, .size = p.size, .align = p.align});
    return artifact;
  }
  std::vector<MemoryPart> memory() const {
    std::vector<MemoryPart> all;
    const auto parameters = reader_.parameters(kernel_);
    for (uint32_t i = 0; i < parameters.size(); i++)
      for (const PartRecord &part : reader_.parts(parameters[i]))
        all.push_back({.parameter = i,
                       .is_array = part.is_array != 0,
                       .offset = part.offset,
                       .rank = part.rank,
                       .element_bytes = part.element_bytes});
    return all;
  }

  Bundle::State &bundle_;
  const BundleReader &reader_;
  const KernelRecord &kernel_;
};

} // namespace

Result<Kernel> BundleKernel::load(const Device &device) const {
  if (!bundle_) return usage_error("an empty handle of a bundle's kernel: Bundle::find gives them");
  KILN_CHECK(check_device(device.state().get()));
  std::lock_guard lock(bundle_->mutex);
  Kernel &kernel = bundle_->loaded[{index_, device.state().get()}];
  if (!kernel) {
    KernelSource source(*bundle_, index_);
    KILN_TRY(LoadedKernel loaded, device.state()->prepare(source));
    kernel = Kernel(make_of_process<Kernel::State>(Kernel::State{device.state(), std::move(loaded)}));
  }
  return kernel;
}

Result<void> BundleKernel::launch(Stream &stream, const LaunchShape &shape,
                                  std::span<const Argument> arguments, const LaunchOptions &options) const {
  if (!bundle_) return usage_error("an empty handle of a bundle's kernel: Bundle::find gives them");
  if (!stream) return usage_error("an empty handle of a stream: a session or a runtime makes them (stream)");
  const BundleReader &reader = *bundle_->reader;
  const auto parameters = reader.parameters(reader.kernels()[index_]);
  if (arguments.size() != parameters.size())
    return usage_error(
        fmt::format("{}({}) takes {}, got {}", name(), signature(),
                    counted(parameters.size(), "argument that has bytes", "arguments that have bytes"),
                    arguments.size()));
  std::vector<const void *> pointers;
  for (size_t i = 0; i < arguments.size(); i++) {
    const ParameterRecord &p = parameters[i];
    const Argument &argument = arguments[i];
    if (argument.type != reader.text(p.type))
      return usage_error(fmt::format("argument {} of {} is a {}, and the bundle's kernel takes a {}",
                                     p.argument, name(), argument.type, reader.text(p.type)));
    if (argument.bytes.size() != p.size)
      return usage_error(fmt::format("argument {} of {}: {} is {} bytes, got {}", p.argument, name(),
                                     argument.type, p.size, argument.bytes.size()));
    pointers.push_back(argument.bytes.data());
  }
  KILN_TRY(Kernel kernel, load(stream.device()));
  return stream.launch(kernel, shape, pointers, options);
}

} // namespace kiln
