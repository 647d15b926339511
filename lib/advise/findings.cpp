// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings.h"

#include <algorithm>
#include <tuple>

namespace kiln {
namespace {

std::vector<StackFrame> stack_of(const llvm::DILocation *at, const SourceMap &sources) {
  std::vector<StackFrame> stack;
  for (; at; at = at->getInlinedAt()) {
    const llvm::DISubprogram *function = at->getScope()->getSubprogram();
    if (function && function->isArtificial()) continue; // a wrapper made by Kiln
    StackFrame frame{.function = function ? function->getName().str() : std::string(),
                     .file = at->getFilename().str(),
                     .line = at->getLine()};
    frame.at = sources.locate_line(frame.file, frame.line, at->getColumn());
    stack.push_back(std::move(frame));
  }
  return stack;
}

auto order_of(const Advice &advice) {
  return std::tuple(advice.at.file_name(), advice.at.line(), advice.at.column(),
                    std::string_view(advice.rule), std::string_view(advice.message));
}

} // namespace

void Findings::add(std::string_view rule, const llvm::Instruction &instruction, std::string message,
                   std::string hint) {
  add_at(rule, instruction, place_of_statement(instruction), std::move(message), std::move(hint));
}

void Findings::add_at(std::string_view rule, const llvm::Instruction &instruction, Location at,
                      std::string message, std::string hint) {
  if (!at) return;
  keep({std::string(rule), std::move(message), std::move(hint), std::move(at),
        stack_of(statement_of(instruction), sources_)});
}

void Findings::add_of_kernel(std::string_view rule, const KernelIr &ir, std::string message,
                             std::string hint) {
  const llvm::DISubprogram *kernel = ir.entry() ? ir.entry()->getSubprogram() : nullptr;
  if (!kernel) return;
  StackFrame frame{
      .function = kernel->getName().str(), .file = kernel->getFilename().str(), .line = kernel->getLine()};
  frame.at = sources_.locate_line(frame.file, frame.line, 1);
  keep({std::string(rule), std::move(message), std::move(hint), frame.at, {frame}});
}

Location Findings::place_of_statement(const llvm::Instruction &instruction) const {
  const llvm::DILocation *at = statement_of(instruction);
  return at ? sources_.locate_line(at->getFilename().str(), at->getLine(), at->getColumn()) : Location();
}

void Findings::keep(Advice advice) {
  // An unrolled loop contains the instructions of a statement several times, and each copy yields the same
  // advice.
  const bool is_known = std::any_of(advice_.begin(), advice_.end(), [&](const Advice &other) {
    return other.rule == advice.rule && other.at.file == advice.at.file && other.at.begin == advice.at.begin;
  });
  if (!is_known) advice_.push_back(std::move(advice));
}

std::vector<Advice> Findings::take() && {
  std::stable_sort(advice_.begin(), advice_.end(),
                   [](const Advice &a, const Advice &b) { return order_of(a) < order_of(b); });
  return std::move(advice_);
}

} // namespace kiln
