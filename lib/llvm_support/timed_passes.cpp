// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timed_passes.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>

#include <optional>

namespace kiln {

/// Timer of a run, and the row of the pass that runs now.
class TimedPasses::Clock {
public:
  explicit Clock(Timer &timer) : timer_(timer) {}
  ~Clock() { end(); }
  Clock(const Clock &) = delete;
  Clock &operator=(const Clock &) = delete;
  void begin(std::string_view pass) {
    end();
    open_ = timer_.enter(pass);
  }
  void end() {
    if (open_) timer_.leave(*open_);
    open_.reset();
  }

private:
  Timer &timer_;
  std::optional<Timer::Token> open_;
};

namespace {

using Name = std::shared_ptr<std::string>;

class FunctionClock final : public llvm::FunctionPass {
public:
  static char ID;
  FunctionClock(TimedPasses::Clock &clock, Name name)
      : FunctionPass(ID), clock_(clock), name_(std::move(name)) {}
  llvm::StringRef getPassName() const override { return "Kiln: clock"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override { usage.setPreservesAll(); }
  bool runOnFunction(llvm::Function &) override {
    clock_.begin(*name_);
    return false;
  }

private:
  TimedPasses::Clock &clock_;
  const Name name_;
};
char FunctionClock::ID = 0;

class ModuleClock final : public llvm::ModulePass {
public:
  static char ID;
  ModuleClock(TimedPasses::Clock &clock, Name name) : ModulePass(ID), clock_(clock), name_(std::move(name)) {}
  llvm::StringRef getPassName() const override { return "Kiln: clock"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override { usage.setPreservesAll(); }
  bool runOnModule(llvm::Module &) override {
    clock_.begin(*name_);
    return false;
  }

private:
  TimedPasses::Clock &clock_;
  const Name name_;
};
char ModuleClock::ID = 0;

} // namespace

TimedPasses::TimedPasses(llvm::legacy::PassManagerBase &passes, Timer &timer)
    : passes_(passes), clock_(std::make_unique<Clock>(timer)) {}
TimedPasses::~TimedPasses() = default;
void TimedPasses::finish() { clock_->end(); }

void TimedPasses::add(llvm::Pass *pass) {
  const std::string name = pass->getPassName().str();
  const bool is_loop_pass = pass->getPassKind() == llvm::PT_Loop;
  if (is_loop_pass && loop_passes_) {
    *loop_passes_ += ", " + name;
    return passes_.add(pass);
  }
  loop_passes_.reset();
  if (!pass->getAsImmutablePass()) {
    auto shown = std::make_shared<std::string>(name);
    switch (pass->getPassKind()) {
    case llvm::PT_Loop: loop_passes_ = shown; [[fallthrough]];
    case llvm::PT_Function: passes_.add(new FunctionClock(*clock_, std::move(shown))); break;
    case llvm::PT_Module: passes_.add(new ModuleClock(*clock_, std::move(shown))); break;
    default: break; // its time counts for the pass before it
    }
  }
  passes_.add(pass);
}

} // namespace kiln
