// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes of a timer other than times.
#include "timing_tree.h"

#include <fmt/format.h>

namespace kiln {

using timing::Job;
using timing::Node;

namespace {
/// Report a module's growth if it exceeds this number of instructions and this factor. LLVM takes some tens
/// of milliseconds for a kernel of 4,000 instructions.
constexpr uint64_t growth_floor = 4000, growth_factor = 4;
} // namespace

void Timer::set_job_key(std::string_view hex) {
  std::lock_guard lock(state_->mutex);
  if (Job *job = state_->job_of_this_thread()) job->key = hex;
}

void Timer::note_lookup(std::string_view product, std::string_view answer, std::string_view reason) {
  std::lock_guard lock(state_->mutex);
  Job *job = state_->job_of_this_thread();
  if (!job) return;
  for (TimingLookup &known : job->lookups)
    if (known.product == product && known.answer == answer && known.reason == reason) {
      known.count++;
      return;
    }
  constexpr size_t kept_lookups = 64; // per job: products times answers, and a few rare reasons
  if (job->lookups.size() < kept_lookups)
    job->lookups.push_back({std::string(product), std::string(answer), std::string(reason), 1});
}

void Timer::note_product(TimingProduct product) {
  std::lock_guard lock(state_->mutex);
  constexpr size_t kept_products = 64; // per job
  Job *job = state_->job_of_this_thread();
  if (job && job->products.size() < kept_products) job->products.push_back(std::move(product));
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
  if (before == 0 || after < growth_floor || after < growth_factor * before) return false;
  warn(node->name, fmt::format("made {} LLVM instructions of {}", after, before));
  return true;
}

} // namespace kiln
