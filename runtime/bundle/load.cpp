// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a bundle's kernels on devices. Implements a part of kiln/bundle.h.
#include "cpu_level.h"
#include "image.h"
#include "images.h"
#include "state.h"

#include <opencl/opencl.h>
#include <support/count.h>

#include <algorithm>

namespace kiln {

using namespace bundle;

namespace {

/// Code source for one kernel of an open bundle. Callers hold the mutex of the bundle's state.
class KernelSource final : public CodeSource {
public:
  KernelSource(Bundle::State &bundle, uint32_t index)
      : bundle_(bundle), reader_(*bundle.reader), kernel_(reader_.kernels()[index]) {}

  std::string name() const override { return std::string(reader_.text(kernel_.name)); }
  Result<LoadedFunction> host_function() override {
    const uint32_t host = host_cpu_level();
    const uint32_t number = std::min(level_number(host), uint32_t(bundle_.options.max_cpu_level));
    const CodeRecord *best = nullptr;
    for (const CodeRecord &code : reader_.codes(kernel_)) {
      if (code.kind != CodeKind::CpuImage || code.level / aarch64_levels != host / aarch64_levels) continue;
      if (level_number(code.level) <= number && (!best || code.level > best->level)) best = &code;
    }
    if (!best)
      return usage_error(fmt::format("{} has no code for this processor, which is {}: {}; list the target "
                                     "when the bundle is made",
                                     full_name(),
                                     number ? cpu_level_name(host - level_number(host) + number)
                                            : "neither x86-64 nor AArch64",
                                     available_code()));
    KILN_TRY(auto blob, reader_.blob(*best));
    LoadedFunction function;
    KILN_TRY(function.code, load_image(blob, bundle_.host_functions));
    function.artifact = describe(*best, ArtifactKind::Object, {});
    function.memory = memory();
    function.checked = best->flags & Checked;
    function.interruptible = best->flags & Interruptible;
    return function;
  }

  Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) override {
    std::vector<const CodeRecord *> codes;
    std::vector<GpuImage> images;
    for (const CodeRecord &code : reader_.codes(kernel_))
      if (is_for_cuda(code.kind)) {
        codes.push_back(&code);
        images.push_back(image_of(code));
      }
    const ImageUse use{.sm = gpu->info().sm,
                       .driver_isa = newest_isa(gpu->driver().version()),
                       .prefer_ptx = bundle_.options.prefer_ptx};
    const std::optional<size_t> best = choose_image(images, use);
    if (!best) return no_image(*gpu, images, use);
    const CodeRecord &chosen = *codes[*best];
    return artifact_of(chosen, chosen.kind == CodeKind::Cubin ? ArtifactKind::Cubin : ArtifactKind::Assembly);
  }

  Result<std::shared_ptr<const Artifact>> object_code(const DeviceFacts &device) override {
    std::shared_ptr<const Artifact> best;
    uint32_t version = 0;
    std::vector<Note> refusals;
    for (const CodeRecord &code : reader_.codes(kernel_)) {
      if (code.kind != CodeKind::Spirv || code.level <= version) continue;
      KILN_TRY(auto artifact, artifact_of(code, ArtifactKind::Object));
      KILN_TRY(SpirvNeeds needs, read_spirv(artifact->bytes));
      // Every device accepts the versions before 1.3.
      if (needs.version > 12) needs.features.push_back(fmt::format("spirv{}", needs.version));
      const std::string missing = missing_features(needs, device.features);
      if (missing.empty())
        best = std::move(artifact), version = code.level;
      else
        refusals.push_back(
            {fmt::format("{} uses {}, which the device lacks", architecture_of(code), missing), {}});
    }
    if (best) return best;
    Diagnostic d{.code = ErrorCode::Usage,
                 .message =
                     fmt::format("{} has no code for {}: {}", full_name(), device.name, available_code())};
    d.notes = std::move(refusals);
    d.hint = "list the kernel for the device's target when the bundle is made";
    return Error(std::move(d));
  }

  Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &, const DeviceBackend &,
                              const std::function<Result<LoadedKernel>()> &load) override {
    KILN_TRY(LoadedKernel kernel, load());
    kernel.memory = memory();
    return kernel;
  }

private:
  /// Error for a GPU that can run none of the bundle's images. Names the reason for each image.
  Error no_image(const CudaDevice &gpu, std::span<const GpuImage> images, const ImageUse &use) const {
    Diagnostic d{.code = ErrorCode::Usage,
                 .message = fmt::format("{} has no code for {}, which is sm_{}, with a driver for {}: {}",
                                        full_name(), gpu.info().name, use.sm, gpu.driver().version_text(),
                                        available_code())};
    for (const GpuImage &image : images)
      d.notes.push_back({fmt::format("{}: {}", describe_image(image), why_not(image, use)), {}});
    d.hint = fmt::format("list one of {} when the bundle is made, or the PTX of an older architecture",
                         archs_for(use.sm));
    return Error(std::move(d));
  }

  /// Returns the artifact of a code record, shared by the devices that load it. Error: Input, for altered
  /// code.
  Result<std::shared_ptr<const Artifact>> artifact_of(const CodeRecord &code, ArtifactKind kind) {
    auto &made = bundle_.artifacts[&code];
    if (!made) {
      KILN_TRY(auto blob, reader_.blob(code));
      made = describe(code, kind, {reinterpret_cast<const char *>(blob.data()), blob.size()});
    }
    return made;
  }

  std::string full_name() const { return fmt::format("{}: {}", reader_.name(), reader_.text(kernel_.name)); }
  std::string available_code() const {
    std::string list;
    for (const CodeRecord &code : reader_.codes(kernel_))
      list += fmt::format("{}{}{}", list.empty() ? "" : ", ", code.kind == CodeKind::Ptx ? "PTX for " : "",
                          architecture_of(code));
    return "it has " + (list.empty() ? "none at all" : list);
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
  KILN_CHECK(check_device(state_of(device).get()));
  std::lock_guard lock(bundle_->mutex);
  Kernel &kernel = bundle_->loaded[{index_, state_of(device).get()}];
  if (!kernel) {
    KernelSource source(*bundle_, index_);
    KILN_TRY(LoadedKernel loaded, state_of(device)->prepare(source));
    kernel = Kernel(make_of_process<Kernel::State>(Kernel::State{state_of(device), std::move(loaded)}));
  }
  return kernel;
}

Result<void> BundleKernel::launch(Stream &stream, const LaunchShape &shape, ArgumentList arguments,
                                  const LaunchOptions &options) const {
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
