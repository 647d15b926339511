// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records facts other than times in a timer: cache look-ups, products, source lines, warnings, instruction
// counts.
#include "timing_share.h"
#include "timing_tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln {

using timing::Job;
using timing::Node;
using timing::Tree;

void Timer::set_job_key(std::string_view hex) {
  std::lock_guard lock(state_->mutex);
  if (Job *job = state_->job_of_this_thread()) job->key = hex;
}

void Timer::note_lookup(std::string_view product, std::string_view answer, std::string_view reason) {
  std::lock_guard lock(state_->mutex);
  Job *job = state_->job_of_this_thread();
  if (!job) return;
  if (answer == "made")
    state_->sample(timing::Sample::Kind::Compiled, nullptr, ++state_->num_compiled);
  else
    state_->sample(timing::Sample::Kind::Found, nullptr, ++state_->num_found);
  for (TimingLookup &known : job->lookups)
    if (known.product == product && known.answer == answer && known.reason == reason) {
      known.count++;
      return;
    }
  constexpr size_t kept_lookups = 64; // maximum per job; equal look-ups share an entry
  if (job->lookups.size() < kept_lookups)
    job->lookups.push_back({std::string(product), std::string(answer), std::string(reason), 1});
}

void Timer::note_product(TimingProduct product) {
  std::lock_guard lock(state_->mutex);
  constexpr size_t kept_products = 64; // maximum per job
  Job *job = state_->job_of_this_thread();
  if (job && job->products.size() < kept_products) job->products.push_back(std::move(product));
}

void Timer::note_place(std::string_view file, uint32_t line) {
  std::lock_guard lock(state_->mutex);
  if (Job *job = state_->job_of_this_thread()) job->file = file, job->line = line;
}

bool Timer::knows_place() const {
  std::lock_guard lock(state_->mutex);
  const Job *job = state_->job_of_this_thread();
  return !job || job->line != 0;
}

void Timer::note_dump(std::string_view product, std::string_view path) {
  std::lock_guard lock(state_->mutex);
  constexpr size_t kept_dumps = 16; // maximum per job
  Job *job = state_->job_of_this_thread();
  if (!job || job->dumps.size() >= kept_dumps) return;
  if (std::ranges::find(job->dumps, path, &TimingDump::path) == job->dumps.end())
    job->dumps.push_back({std::string(product), std::string(path)});
}

void Timer::note_session(std::string_view build, std::string_view cache_folder) {
  std::lock_guard lock(state_->mutex);
  if (state_->build.empty()) state_->build = build, state_->cache_folder = cache_folder;
}

void Timer::note_gpu(std::string_view name) {
  std::lock_guard lock(state_->mutex);
  if (state_->gpu.empty()) state_->gpu = name;
}

void Timer::warn(std::string_view stage, std::string_view text) {
  std::lock_guard lock(state_->mutex);
  if (state_->warnings.size() >= State::kept_warnings) return;
  const Job *job = state_->job_of_this_thread();
  state_->warnings.push_back({job ? job->name : std::string(), std::string(stage), std::string(text)});
}

bool Timer::note_instructions(const Token &token, uint64_t before, uint64_t after) {
  Node *node = static_cast<Node *>(token.node), *job_node = static_cast<Node *>(token.job_node);
  for (Node *n : {node, job_node}) {
    if (!n) continue;
    n->instructions_before.add(before);
    n->instructions_after.add(after);
  }
  if (Tree &tree = *static_cast<Tree *>(token.thread); tree.trace) {
    std::lock_guard lock(state_->mutex);
    tree.has_instructions = after != 0;
    state_->sample(timing::Sample::Kind::Instructions, &tree, after);
  }
  if (!is_growth(before, after)) return false;
  warn(node->name, fmt::format("made {} LLVM instructions of {}", after, before));
  return true;
}

} // namespace kiln
