// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker_processes.h"

#include "products.h"
#include "worker_jobs.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace kiln {
namespace {

/// Assembler that works in worker processes. If a text has an error, an assembler of this process repeats the
/// work to report it, since only this process has the sources.
class WorkerAssembler final : public Assembler {
public:
  WorkerAssembler(WorkerProcesses &processes, const Target &target, AssemblerAnswer found)
      : processes_(processes), target_(target), found_(std::move(found)) {
    if (!found_.quick.empty()) quick_ = std::make_unique<Quick>(*this);
  }
  const std::string &identity() const override { return found_.identity; }
  const std::string &path() const override { return found_.path; }

  Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                   std::string_view text, const SourceMap &sources) const override {
    const AssemblerInput input{entry, text};
    auto made = ask(JobMessage::Assemble, config, {&input, 1});
    if (made.ok()) return AssembledObject{std::move(made->bytes), made->resources[0]};
    return in_this_process<AssembledObject>(made.take_error(), [&](const Assembler &assembler) {
      return assembler.assemble(config, entry, text, sources);
    });
  }

  bool can_merge(const CompilerConfig &config, std::string_view text) const override {
    return is_true(JobMessage::CanMerge, config, text);
  }
  const Assembler *quick() const override { return quick_.get(); }
  bool gains_from_quick(const CompilerConfig &config, std::string_view text) const override {
    return is_true(JobMessage::GainsFromQuick, config, text);
  }

  Result<MergedObject> assemble_merged(const CompilerConfig &config, std::span<const AssemblerInput> inputs,
                                       const SourceMap &sources) const override {
    auto made = ask(JobMessage::AssembleMerged, config, inputs);
    if (made.ok()) return MergedObject{std::move(made->bytes), std::move(made->resources)};
    return in_this_process<MergedObject>(made.take_error(), [&](const Assembler &assembler) {
      return assembler.assemble_merged(config, inputs, sources);
    });
  }

private:
  /// The quick setting of the assembler in worker processes. Its errors need no source locations, since the
  /// full assembly reports them later.
  class Quick final : public Assembler {
  public:
    explicit Quick(const WorkerAssembler &tool) : tool_(tool) {}
    const std::string &identity() const override { return tool_.found_.quick; }
    const std::string &path() const override { return tool_.path(); }
    Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                     std::string_view text, const SourceMap &) const override {
      const AssemblerInput input{entry, text};
      KILN_TRY(AssembledAnswer made,
               tool_.ask(JobMessage::AssembleQuick, config, {&input, 1}, tool_.found_.quick));
      return AssembledObject{std::move(made.bytes), made.resources[0]};
    }

  private:
    const WorkerAssembler &tool_;
  };

  bool is_true(JobMessage type, const CompilerConfig &config, std::string_view text) const {
    const AssemblerInput input{{}, text};
    const StageScope scope(Timer::of_thread(), Stage::WorkerProcess);
    auto answer = processes_.ask(uint32_t(type), write_assemble(config, {&input, 1}));
    return answer.ok() && *answer == std::string_view("\1", 1);
  }

  Result<AssembledAnswer> ask(JobMessage type, const CompilerConfig &config,
                              std::span<const AssemblerInput> inputs) const {
    return ask(type, config, inputs, found_.identity);
  }
  Result<AssembledAnswer> ask(JobMessage type, const CompilerConfig &config,
                              std::span<const AssemblerInput> inputs, const std::string &identity) const {
    const StageScope scope(Timer::of_thread(), Stage::WorkerProcess);
    auto reply = processes_.ask(uint32_t(type), write_assemble(config, inputs), processes_.assemble_limit());
    if (!reply.ok() && is_stop(reply.error()) && !cancellation_requested())
      return make_error(ErrorCode::AssembleLimit, "the assembler took longer than its limit");
    KILN_TRY(const std::string payload, std::move(reply));
    KILN_TRY(AssembledAnswer answer, read_assembled(payload));
    if (answer.resources.size() != inputs.size())
      return internal_error("a worker process assembled other texts");
    // Another assembler made the object: it must not be stored under this key.
    if (answer.identity != identity)
      return worker_error(
          fmt::format("a worker process has another assembler ({}) than the session began with ({})",
                      answer.identity, identity),
          "it was installed or removed meanwhile: open another session");
    return answer;
  }

  template <class Object, class Make> Result<Object> in_this_process(Error error, Make &&make) const {
    if (error.kind() != ErrorKind::Input) return error;
    std::lock_guard lock(mutex_);
    if (!own_) {
      auto made = target_.make_assembler();
      if (!made.ok() || (*made)->identity() != found_.identity) return error;
      own_ = std::move(*made);
    }
    return make(*own_);
  }

  WorkerProcesses &processes_;
  const Target &target_;
  const AssemblerAnswer found_;
  std::unique_ptr<Quick> quick_; ///< null: no quick setting
  mutable std::mutex mutex_;     ///< protects `own_`
  mutable std::unique_ptr<Assembler> own_;
};

/// Writes a module as bitcode. Preserves the order of use-lists: LLVM's passes depend on it, and a worker
/// process must make the same code as this one.
std::string bitcode_of(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/true);
  return bytes;
}

uint32_t products_wanted(const ProductSight &sight) {
  uint32_t wanted = 0;
  for (const ArtifactKind kind : {ArtifactKind::LlvmOpt, ArtifactKind::Assembly, ArtifactKind::Object})
    if (sight.wants(kind)) wanted |= 1u << unsigned(kind);
  return wanted;
}

} // namespace

bool WorkerProcesses::serves(const Target &target) const {
  return std::find(served_.begin(), served_.end(), &target) != served_.end();
}

Result<std::string> WorkerProcesses::ask(uint32_t type, std::string payload, std::chrono::nanoseconds limit) {
  Timer *const timer = Timer::of_thread();
  append(payload, !timer                  ? WantedRows::None
                  : timer->wants_passes() ? WantedRows::Passes
                                          : WantedRows::Stages);
  KILN_TRY(Message reply, pool_.call({type, std::move(payload)}, limit));
  if (reply.type == uint32_t(JobMessage::Done)) {
    std::string_view answer = reply.payload;
    KILN_TRY(const TimedWork timed, take_timed_work(answer));
    if (timer && !timed.rows.empty()) timer->add_rows(timed.rows);
    if (timer)
      for (const TimingWarning &warning : timed.warnings) timer->warn(warning.stage, warning.text);
    reply.payload.resize(answer.size());
    return std::move(reply.payload);
  }
  if (reply.type == uint32_t(JobMessage::Failed)) return read_error(reply.payload);
  return internal_error(fmt::format("a worker process answers with a message of type {}", reply.type));
}

Result<std::unique_ptr<Assembler>> WorkerProcesses::assembler_of(const Target &target) {
  KILN_TRY(const std::string payload, ask(uint32_t(JobMessage::Assembler), std::string(target.name())));
  KILN_TRY(AssemblerAnswer found, read_assembler(payload));
  return std::unique_ptr<Assembler>(new WorkerAssembler(*this, target, std::move(found)));
}

Result<ObjectCache::ArtifactPtr> WorkerProcesses::compile(const CompilerConfig &config,
                                                          const llvm::Module &module, ArtifactKind kind,
                                                          Products &products) {
  KILN_TRY(const std::string payload,
           ask(uint32_t(JobMessage::Compile),
               write_module(config, kind, products_wanted(products.sight()), products.facts(),
                            module.getModuleIdentifier(), bitcode_of(module))));
  KILN_TRY(ModuleAnswer answer, read_module_answer(payload));
  if (answer.artifact.kind != kind)
    return internal_error("a worker process made another product than it was asked for");
  for (const auto &[seen, text] : answer.seen)
    if (products.sight().wants(seen)) products.sight().see(seen, text);
  products.large_function = answer.large_function;
  products.local_arrays = std::move(answer.local_arrays);
  products.why_not_coarse = std::move(answer.why_not_coarse);
  return products.take(std::move(answer.artifact));
}

void WorkerProcessesDeleter::operator()(WorkerProcesses *processes) const { delete processes; }

} // namespace kiln
