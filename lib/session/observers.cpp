// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observers.h"

#include <algorithm>
#include <mutex>

namespace kiln {

namespace {
uint32_t bit(ArtifactKind kind) { return uint32_t(1) << unsigned(kind); }
} // namespace

void Observers::List::recount() {
  uint32_t all = 0;
  for (const auto &entry : entries) all |= entry->kinds;
  kinds.store(all, std::memory_order_release);
}

Observation Observers::add(ProductObserver observer, std::span<const ArtifactKind> of) {
  uint32_t kinds = of.empty() ? ~uint32_t(0) : 0;
  for (ArtifactKind kind : of) kinds |= bit(kind);
  auto entry = std::make_shared<const Entry>(std::move(observer), kinds);
  {
    std::unique_lock lock(list_->mutex);
    list_->entries.push_back(entry);
    list_->recount();
  }
  auto remove = [list = list_, entry, process = process_token()](void *) {
    if (process != process_token()) return; // the lock may be another process's
    std::unique_lock lock(list->mutex);
    std::erase(list->entries, entry);
    list->recount();
  };
  return Observation(std::shared_ptr<void>(const_cast<Entry *>(entry.get()), std::move(remove)));
}

thread_local bool UnobservedScope::is_active_ = false;

bool Observers::wants(const CompilerJob &job, ArtifactKind product) {
  if (UnobservedScope::is_active()) return false;
  return (list_->kinds.load(std::memory_order_acquire) & bit(product)) ||
         (dump_ && dump_->wants(job, product));
}

void Observers::product(const CompilerJob &job, ArtifactKind product, std::string_view text) {
  if (dump_ && dump_->wants(job, product)) dump_->product(job, product, text);
  if (!(list_->kinds.load(std::memory_order_acquire) & bit(product))) return;
  const std::string signature = to_string(job.source->arguments);
  const ObservedProduct seen{product, job.source->method->name.text(), signature, job.config, text};
  std::shared_lock lock(list_->mutex);
  for (const auto &entry : list_->entries)
    if (entry->kinds & bit(product)) entry->observer(seen);
}

} // namespace kiln
