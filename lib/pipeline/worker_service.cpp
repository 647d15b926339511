// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers the requests that a worker process receives. It calls the same functions as a session without
// worker processes.
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
      TimedWork timed;
      Result<std::string> answer = with_stack(stack_for_limits, [&] { return timed_answer(request, timed); });
      if (answer.ok()) {
        append(*answer, timed);
        return {uint32_t(JobMessage::Done), std::move(*answer)};
      }
      return {uint32_t(JobMessage::Failed), write_error(answer.error())};
    } catch (const std::bad_alloc &) {
      is_spent_ = true;
      return {uint32_t(JobMessage::Failed), write_error(machine_error("out of memory while compiling"))};
    }
  }
  void begin(const WorkerHello &hello) { use_environment_ = hello.use_environment; }
  bool is_spent() const { return is_spent_; }

private:
  /// Answers a request. Sets `timed` to the timing rows that it asks for; the requester shows them below the
  /// time it waited.
  Result<std::string> timed_answer(const Message &request, TimedWork &timed) {
    std::string_view payload = request.payload;
    KILN_TRY(const WantedRows wanted, take_wanted_rows(payload));
    if (wanted == WantedRows::None) return answer_of(request.type, payload);
    timer_.enable({.passes = wanted == WantedRows::Passes});
    auto answer = [&] {
      const StageScope all(&timer_, Stage::WorkerProcess);
      return answer_of(request.type, payload);
    }();
    timer_.disable();
    TimingReport report = timer_.report();
    for (TimingRow &row : report.rows)
      if (row.depth-- > 0) timed.rows.push_back(std::move(row));
    timed.warnings = std::move(report.warnings);
    return answer;
  }

  Result<std::string> answer_of(uint32_t type, std::string_view payload) {
    switch (JobMessage(type)) {
    case JobMessage::Assembler: {
      KILN_TRY(const Target *target, targets_.find(payload));
      KILN_TRY(const Assembler *assembler, assemblers_.of(*target));
      const Assembler *quick = assembler->quick();
      return write_assembler(
          {assembler->identity(), assembler->path(), quick ? quick->identity() : std::string()});
    }
    case JobMessage::Assemble: return assemble(payload, false);
    case JobMessage::AssembleQuick: return assemble(payload, true);
    case JobMessage::AssembleMerged: return assemble_merged(payload);
    case JobMessage::CanMerge:
    case JobMessage::GainsFromQuick: return tell(payload, JobMessage(type));
    case JobMessage::Compile: return compile(payload);
    case JobMessage::Done:
    case JobMessage::Failed: break;
    }
    return internal_error(fmt::format("a worker process does no work of type {}", type));
  }

  Result<std::string> assemble(std::string_view payload, bool quick) {
    KILN_TRY(const AssembleRequest request, read_assemble(payload, targets_));
    KILN_TRY(const Assembler *assembler, assemblers_.of(targets_.of(request.config.target)));
    if (quick) assembler = assembler->quick();
    if (!assembler) return internal_error("the assembler of a worker process has no quick setting");
    const StageScope scope(timer_of_work(), quick ? Stage::QuickAssemble : Stage::Assemble);
    const auto &[entry, text] = request.inputs[0];
    KILN_TRY(AssembledObject object,
             assembler->assemble(request.config, std::string(entry), text, no_sources_));
    return write_assembled({assembler->identity(), std::move(object.bytes), {object.resources}});
  }

  Result<std::string> assemble_merged(std::string_view payload) {
    KILN_TRY(const AssembleRequest request, read_assemble(payload, targets_));
    KILN_TRY(const Assembler *assembler, assemblers_.of(targets_.of(request.config.target)));
    const StageScope scope(timer_of_work(), Stage::Assemble);
    KILN_TRY(MergedObject object, assembler->assemble_merged(request.config, request.inputs, no_sources_));
    return write_assembled({assembler->identity(), std::move(object.bytes), std::move(object.resources)});
  }

  Result<std::string> tell(std::string_view payload, JobMessage what) {
    KILN_TRY(const AssembleRequest request, read_assemble(payload, targets_));
    KILN_TRY(const Assembler *assembler, assemblers_.of(targets_.of(request.config.target)));
    const std::string_view text = request.inputs[0].text;
    const bool is_so = what == JobMessage::CanMerge ? assembler->can_merge(request.config, text)
                                                    : assembler->gains_from_quick(request.config, text);
    return std::string(1, char(is_so));
  }

  Timer *timer_of_work() { return timer_.enabled() ? &timer_ : nullptr; }

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
                             assemblers_, no_sources_, timer_of_work()},
                            *module, request.kind);
    });
    is_spent_ |= worker->poisoned(); // LLVM was stopped in the middle of its work: this process must end
    KILN_TRY(const ObjectCache::ArtifactPtr artifact, std::move(made));
    answer.artifact = *artifact;
    answer.large_function = products.large_function;
    answer.local_arrays = products.local_arrays;
    answer.why_not_coarse = products.why_not_coarse;
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
  Timer timer_; ///< enabled during timed work
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
