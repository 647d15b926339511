// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile_list.h"

#include "image_linker.h"

#include <opencl/opencl.h>
#include <precompile/precompile.h>
#include <session/session.h>
#include <targets/targets.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace kiln {

using namespace bundle;

namespace {

/// Levels of code for CPUs that a bundle can have (CodeRecord::level).
constexpr uint32_t cpu_levels[] = {2, 3, 4, aarch64_levels + 1, aarch64_levels + 2};

/// Returns the CPU levels to compile a job for, given its target's options: by default those of the
/// architecture on which the bundle is made. Error: Usage for an option other than one of these levels.
Result<std::vector<uint32_t>> levels_of(const Target &target, const TargetSpec &spec) {
  const std::string cpu = target.cpu(spec), features = target.features(spec);
  if (cpu.empty() && features.empty()) {
#if defined(__aarch64__)
    return std::vector<uint32_t>{aarch64_levels + 1, aarch64_levels + 2};
#else
    return std::vector<uint32_t>{2, 3, 4};
#endif
  }
  for (uint32_t level : cpu_levels) {
    const TargetSpec of_level = *target.for_architecture(spec, cpu_level_name(level));
    if (features.empty() && cpu == target.cpu(of_level) && target.triple(spec) == target.triple(of_level))
      return std::vector<uint32_t>{level};
  }
  return usage_error(
      fmt::format("a bundle's code for CPUs is for x86-64-v2, x86-64-v3 and x86-64-v4, or for aarch64 and "
                  "neoverse-v2, of which the program picks one where it runs, and the list asks for {}{}: "
                  "leave the processor out",
                  cpu.empty() ? "features" : cpu, features.empty() ? "" : " with features"));
}

uint32_t flags_of(const CompilerConfig &config, const Artifact &artifact) {
  uint32_t flags = 0;
  if (artifact.has_kernel_state) flags |= HasKernelState;
  if (artifact.needs_cooperative_launch) flags |= Cooperative;
  if (artifact.blocks_along_y) flags |= BlocksAlongY;
  if (config.check) flags |= Checked;
  if (config.interruptible) flags |= Interruptible;
  return flags;
}

/// Compiles one job of the list in its session, to the code of a bundled kernel.
class JobInBundle {
public:
  JobInBundle(Session &session, const PrecompileJob &wanted)
      : jobs_(jobs_of(session)), types_(definitions_of(session).types()), wanted_(wanted) {}

  Result<BundledKernel> compile(bool &lacks_assembler) {
    if (!wanted_.config.kernel)
      return usage_error(fmt::format("{} is a plain function, and a bundle holds kernels", wanted_.call));
    auto use = jobs_.use();
    kernel_.at = wanted_.at;
    kernel_.language = wanted_.language;
    const TargetSpec &spec = wanted_.config.target;
    const Target *target = find_target(spec.name()); // a target of Kiln
    if (target && target->capabilities(spec).runs_on_host) {
      KILN_TRY(std::vector<uint32_t> levels, levels_of(*target, spec));
      for (uint32_t level : levels) KILN_CHECK(add_cpu(*target, level));
    } else if (target && target->gpu_code(spec)) {
      KILN_CHECK(add_gpu(*target, lacks_assembler));
    } else if (target && target->capabilities(spec).device == DeviceKind::OpenCl) {
      KILN_CHECK(add_spirv());
    } else {
      return usage_error(fmt::format(
          "a bundle holds code for CPUs, NVIDIA's GPUs and OpenCL devices, and the target of {} is {}",
          wanted_.call, spec.name()));
    }
    return std::move(kernel_);
  }

private:
  Result<ObjectCache::ArtifactPtr> product(const PrecompileJob &wanted, ArtifactKind kind) {
    KILN_TRY(CompilerJob job, jobs_.job(wanted));
    KILN_TRY(ObjectCache::ArtifactPtr made, jobs_.compile(job, kind));
    if (made->session_bound)
      return make_error(
          ErrorCode::BundleError,
          fmt::format("{} holds addresses of the process that compiles it, so that no other can "
                      "run it",
                      wanted.call),
          wanted.at);
    if (kernel_.name.empty()) describe(job, *made);
    return made;
  }

  Result<void> add_cpu(const Target &target, uint32_t level) {
    PrecompileJob wanted = wanted_;
    wanted.config.target = *target.for_architecture(wanted_.config.target, cpu_level_name(level));
    KILN_TRY(auto made, product(wanted, ArtifactKind::Object));
    KILN_TRY(std::string image, link_image(made->bytes, made->entry));
    kernel_.codes.push_back({.kind = CodeKind::CpuImage,
                             .level = level,
                             .flags = flags_of(wanted.config, *made),
                             .entry = made->entry,
                             .shared_bytes = made->shared_bytes,
                             .blob = std::move(image)});
    return {};
  }

  Result<void> add_gpu(const Target &target, bool &lacks_assembler) {
    // The session's job has the PTX ISA that the target chose, unlike the list's job.
    KILN_TRY(const CompilerJob job, jobs_.job(wanted_));
    const GpuCode code = *target.gpu_code(job.config.target);
    const GpuArch arch = arch_of(code);
    const bool has_assembler = jobs_.has_assembler(target);
    auto add = [&](CodeKind kind, const Artifact &made) {
      kernel_.codes.push_back({.kind = kind,
                               .level = uint32_t(arch.sm),
                               .flags = flags_of(wanted_.config, made) | variant_flags(arch.variant),
                               .isa = kind == CodeKind::Ptx ? uint32_t(code.ptx_isa) : 0u,
                               .entry = made.entry,
                               .shared_bytes = made.shared_bytes,
                               .blob = made.bytes});
    };
    if (has_assembler || has_device_code(wanted_.config)) {
      KILN_TRY(auto cubin, product(wanted_, ArtifactKind::Cubin));
      add(CodeKind::Cubin, *cubin);
    } else {
      lacks_assembler = true;
    }
    // A PTX text would lack the job's linked device code, which only the cubin contains.
    if (has_device_code(wanted_.config)) return {};
    KILN_TRY(auto text, product(wanted_, ArtifactKind::Assembly));
    add(CodeKind::Ptx, *text);
    return {};
  }

  Result<void> add_spirv() {
    KILN_TRY(auto made, product(wanted_, ArtifactKind::Object));
    KILN_TRY(const SpirvNeeds needs, read_spirv(made->bytes));
    kernel_.codes.push_back({.kind = CodeKind::Spirv,
                             .level = uint32_t(needs.version),
                             .flags = flags_of(wanted_.config, *made),
                             .entry = made->entry,
                             .shared_bytes = made->shared_bytes,
                             .blob = made->bytes});
    return {};
  }

  void describe(const CompilerJob &job, const Artifact &artifact) {
    const Method &method = *job.source->method;
    const auto arguments = job.source->arguments->as<DataType>()->params();
    kernel_.name = job.config.name.empty() ? std::string(method.name.text()) : job.config.name;
    for (size_t i = 1; i < arguments.size(); i++) // Argument type 0 is the type of the called function.
      kernel_.signature += (i == 1 ? "" : ", ") + to_string(arguments[i]);
    const size_t open = wanted_.call.find('('), close = wanted_.call.rfind(')');
    if (open != std::string::npos && close != std::string::npos && close > open)
      kernel_.call = wanted_.call.substr(open + 1, close - open - 1);
    std::vector<TypeRef> of_parameters;
    for (const Artifact::Parameter &p : artifact.parameters) of_parameters.push_back(arguments[p.argument]);
    const std::vector<MemoryPart> parts = memory_parts(types_, of_parameters);
    for (uint32_t i = 0; i < of_parameters.size(); i++) {
      const Artifact::Parameter &p = artifact.parameters[i];
      BundledParameter made{.argument = p.argument,
                            .size = p.size,
                            .align = p.align,
                            .type = to_string(of_parameters[i]),
                            .name = {},
                            .parts = {},
                            .cpp = cpp_type(types_, of_parameters[i], kernel_.structs)};
      if (p.argument > 0 && p.argument <= method.argument_names.size())
        made.name = std::string(method.argument_names[p.argument - 1].text());
      for (const MemoryPart &part : parts)
        if (part.parameter == i) made.parts.push_back(part);
      kernel_.parameters.push_back(std::move(made));
    }
  }

  JobService &jobs_;
  TypeContext &types_;
  const PrecompileJob &wanted_;
  BundledKernel kernel_;
};

std::string target_of(const BundledCode &code) {
  if (code.kind == CodeKind::CpuImage) return cpu_level_name(code.level);
  if (code.kind == CodeKind::Spirv) return spirv_name(code.level);
  return arch_name(image_of(code).arch);
}

std::string_view language_name(const BundledKernel &kernel) {
  return kernel.language.empty() ? "julia" : std::string_view(kernel.language);
}

/// Adds the code of `other`, from another job of the same kernel, to `kernel`. Error: Usage if the jobs have
/// the same target, or different languages.
Result<void> join(BundledKernel &kernel, BundledKernel other) {
  if (kernel.language != other.language)
    return Error(
        Diagnostic{.code = ErrorCode::Usage,
                   .message = fmt::format("the list has {}({}) in two languages, {} and {}", kernel.name,
                                          kernel.signature, language_name(kernel), language_name(other)),
                   .at = other.at,
                   .notes = {{"the other one", kernel.at}},
                   .hint = "give one of them a name of its own (the option \"name\")"});
  for (BundledCode &code : other.codes) {
    for (const BundledCode &code_here : kernel.codes)
      if (code_here.kind == code.kind && image_of(code_here).arch == image_of(code).arch)
        return Error(Diagnostic{.code = ErrorCode::Usage,
                                .message = fmt::format("the list has {}({}) twice for {}, with other options",
                                                       kernel.name, kernel.signature, target_of(code)),
                                .at = other.at,
                                .notes = {{"the other one", kernel.at}},
                                .hint =
                                    "give one of them a name of its own (the option \"name\"), under which "
                                    "the program finds it"});
    kernel.codes.push_back(std::move(code));
  }
  return {};
}

/// Removes PTX that no known or future GPU would choose among the kernel's images, and sorts the kernel's
/// code.
void keep_needed_texts(BundledKernel &kernel) {
  constexpr int future = 9990, any_isa = 1000;
  std::vector<GpuImage> images;
  std::vector<size_t> places; // index of each image's code
  for (size_t i = 0; i < kernel.codes.size(); i++)
    if (is_for_cuda(kernel.codes[i].kind)) {
      images.push_back(image_of(kernel.codes[i]));
      places.push_back(i);
    }
  std::vector<bool> is_needed(kernel.codes.size());
  auto mark = [&](int sm) {
    if (const auto best = choose_image(images, {.sm = sm, .driver_isa = any_isa}))
      is_needed[places[*best]] = true;
  };
  for (const ArchitectureInfo &row : architectures()) mark(row.sm);
  mark(future);
  std::vector<BundledCode> kept;
  for (size_t i = 0; i < kernel.codes.size(); i++)
    if (kernel.codes[i].kind != CodeKind::Ptx || is_needed[i]) kept.push_back(std::move(kernel.codes[i]));
  kernel.codes = std::move(kept);
  std::ranges::sort(kernel.codes, {},
                    [](const BundledCode &code) { return std::tuple(code.kind, code.level, code.flags); });
}

} // namespace

Result<BundleReport> compile_list(std::span<const PrecompileJob> jobs, const SessionOptions &given,
                                  unsigned threads) {
  SessionOptions options = given;
  options.trace_jobs = ""; // These jobs are not recorded in a trace of jobs, since no program asked for them.
  BundleReport report;
  std::vector<std::optional<BundledKernel>> made(jobs.size());
  std::mutex mutex; ///< protects the report
  JobSessions sessions(jobs, options, threads);
  sessions.for_each([&](size_t at, Result<Session *> session) {
    bool lacks_assembler = false;
    auto kernel = session.ok() ? JobInBundle(**session, jobs[at]).compile(lacks_assembler)
                               : Result<BundledKernel>(session.take_error());
    std::lock_guard lock(mutex);
    report.not_assembled += lacks_assembler;
    if (kernel.ok())
      made[at] = std::move(*kernel);
    else
      report.failures.push_back({at, kernel.take_error()});
  });
  report.changed = sessions.changed();
  std::ranges::sort(report.failures, {}, &PrecompileReport::Failure::job);
  std::map<std::pair<std::string, std::string>, BundledKernel> by_name;
  for (std::optional<BundledKernel> &kernel : made) {
    if (!kernel) continue;
    auto [at, is_new] = by_name.try_emplace({kernel->name, kernel->signature});
    if (is_new)
      at->second = std::move(*kernel);
    else
      KILN_CHECK(join(at->second, std::move(*kernel)));
  }
  for (auto &[key, kernel] : by_name) {
    keep_needed_texts(kernel);
    report.kernels.push_back(std::move(kernel));
  }
  return report;
}

} // namespace kiln
