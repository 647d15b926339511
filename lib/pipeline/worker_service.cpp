// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work that a worker process does: the same functions that a session without worker processes runs
// itself.
#include "compile.h"
#include "products.h"
#include "worker_jobs.h"
#include "worker_processes.h"

#include <support/stack.h>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Support/MemoryBuffer.h>

#include <new>

namespace kiln {
namespace {

class JobService {
public:
  explicit JobService(const TargetList &targets) : targets_(targets) {}

  Message work(const Message &request) {
    const EnvironmentScope environment(use_environment_);
    try {
      Result<std::string> answer = with_stack(stack_for_limits, [&] { return answer_of(request); });
      if (answer.ok()) return {uint32_t(JobMessage::Done), std::move(*answer)};
      return {uint32_t(JobMessage::Failed), write_error(answer.error())};
    } catch (const std::bad_alloc &) {
      is_spent_ = true;
      return {uint32_t(JobMessage::Failed), write_error(machine_error("out of memory while compiling"))};
    }
  }
  void begin(const WorkerHello &hello) { use_environment_ = hello.use_environment; }
  bool is_spent() const { return is_spent_; }

private:
  Result<std::string> answer_of(const Message &request) {
    switch (JobMessage(request.type)) {
    case JobMessage::Assembler: {
      KILN_TRY(const Target *target, targets_.find(request.payload));
      KILN_TRY(const Assembler *assembler, assemblers_.of(*target));
      return write_assembler({assembler->identity(), assembler->path()});
    }
    case JobMessage::Assemble: return assemble(request.payload);
    case JobMessage::AssembleMerged: return assemble_merged(request.payload);
    case JobMessage::CanMerge: return can_merge(request.payload);
    case JobMessage::Compile: return compile(request.payload);
    case JobMessage::Done:
    case JobMessage::Failed: break;
    }
    return internal_error(fmt::format("a worker process does no work of type {}", request.type));
  }

  Result<std::string> assemble(std::string_view payload) {
    KILN_TRY(const AssembleRequest request, read_assemble(payload, targets_));
    KILN_TRY(const Assembler *assembler, assemblers_.of(targets_.of(request.config.target)));
    const auto &[entry, text] = request.inputs[0];
    KILN_TRY(AssembledObject object,
             assembler->assemble(request.config, std::string(entry), text, no_sources_));
    return write_assembled({assembler->identity(), std::move(object.bytes), {object.resources}});
  }

  Result<std::string> assemble_merged(std::string_view payload) {
    KILN_TRY(const AssembleRequest request, read_assemble(payload, targets_));
    KILN_TRY(const Assembler *assembler, assemblers_.of(targets_.of(request.config.target)));
    KILN_TRY(MergedObject object, assembler->assemble_merged(request.config, request.inputs, no_sources_));
    return write_assembled({assembler->identity(), std::move(object.bytes), std::move(object.resources)});
  }

  Result<std::string> can_merge(std::string_view payload) {
    KILN_TRY(const AssembleRequest request, read_assemble(payload, targets_));
    KILN_TRY(const Assembler *assembler, assemblers_.of(targets_.of(request.config.target)));
    return std::string(1, char(assembler->can_merge(request.config, request.inputs[0].text)));
  }

  Result<std::string> compile(std::string_view payload) {
    KILN_TRY(const ModuleRequest request, read_module(payload, targets_));
    const Target &target = targets_.of(request.config.target);
    ModuleAnswer answer;
    Products products(request.facts,
                      {[&](ArtifactKind kind) { return (request.wanted >> unsigned(kind) & 1) != 0; },
                       [&](ArtifactKind kind, std::string_view text) {
                         answer.seen.emplace_back(kind, std::string(text));
                       }});
    WorkerPool::Lease worker = workers_.acquire();
    auto made = catch_fatal_errors(*worker, [&]() -> Result<ObjectCache::ArtifactPtr> {
      KILN_CHECK(target.prepare_job(request.config));
      KILN_TRY(std::unique_ptr<llvm::Module> module, read_bitcode(request, worker->context()));
      return compile_module({request.config, target, *worker, machine_spec(target, request.config), products,
                             assemblers_, no_sources_, nullptr},
                            *module, request.kind);
    });
    is_spent_ |= worker->poisoned(); // LLVM stopped in the middle of something
    KILN_TRY(const ObjectCache::ArtifactPtr artifact, std::move(made));
    answer.artifact = *artifact;
    answer.large_function = products.large_function;
    answer.local_arrays = products.local_arrays;
    return write_module_answer(answer);
  }

  static Result<std::unique_ptr<llvm::Module>> read_bitcode(const ModuleRequest &request,
                                                            llvm::LLVMContext &context) {
    const llvm::StringRef bytes(request.bitcode.data(), request.bitcode.size());
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, request.name), context);
    if (!module) return to_error(module.takeError(), "the module of a job cannot be read");
    return std::move(*module);
  }

  const TargetList &targets_;
  Assemblers assemblers_;
  WorkerPool workers_;
  SourceMap no_sources_;
  bool use_environment_ = true, is_spent_ = false;
};

} // namespace

Result<void> serve_jobs(int descriptor, std::string build, const TargetList &targets,
                        const std::function<void()> &orphaned) {
  JobService jobs(targets);
  WorkerService service{
      .build = std::move(build),
      .begin = [&](const WorkerHello &hello) -> Result<void> { return jobs.begin(hello), Result<void>(); },
      .work = [&](const Message &request) { return jobs.work(request); },
      .is_spent = [&] { return jobs.is_spent(); },
      .orphaned = orphaned};
  return serve_worker(descriptor, service);
}

} // namespace kiln
