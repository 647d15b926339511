// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observers.h"

#include <support/exceptions.h>

#include <algorithm>

namespace kiln {

namespace {
uint32_t bit(ArtifactKind kind) { return uint32_t(1) << unsigned(kind); }
} // namespace

/// A running call of an observer. Calls on one thread form a list, innermost first.
struct Observers::Call {
  explicit Call(const List &list) : list(list), outer(std::exchange(innermost_, this)) {}
  ~Call() { innermost_ = outer; }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  const List &list;
  Call *const outer; ///< enclosing call: an observer of another session that compiles in this one; null: none
  const char *misuse = nullptr;
};

thread_local Observers::Call *Observers::innermost_ = nullptr;

bool Observers::refuse(const List &list, const char *misuse) {
  for (Call *call = innermost_; call; call = call->outer)
    if (&call->list == &list) {
      if (!call->misuse) call->misuse = misuse;
      return true;
    }
  return false;
}

void Observers::List::recount() {
  uint32_t all = 0;
  for (const auto &entry : entries) all |= entry->kinds;
  kinds.store(all, std::memory_order_release);
}

void Observers::List::remove(const EntryPtr &entry) {
  {
    std::lock_guard lock(mutex);
    std::erase(entries, entry);
    recount();
  }
  // A thread within an observer does not wait: its own call could not end, and calls of other threads may
  // wait for it.
  if (!refuse(*this, "an Observation was dropped within an observer: drop it when the observer has returned"))
    std::unique_lock wait_for_calls(calls);
}

Observation Observers::add(ProductObserver observer, std::span<const ArtifactKind> of) {
  if (refuse(*list_,
             "Session::observe was called within an observer: call it when the observer has returned"))
    return {};
  uint32_t kinds = of.empty() ? ~uint32_t(0) : 0;
  for (ArtifactKind kind : of) kinds |= bit(kind);
  auto entry = std::make_shared<const Entry>(std::move(observer), kinds);
  {
    std::lock_guard lock(list_->mutex);
    list_->entries.push_back(entry);
    list_->recount();
  }
  auto remove = [list = list_, entry, process = process_token()](void *) {
    // Not in a forked child, where the lock may stay locked forever.
    if (process == process_token()) list->remove(entry);
  };
  return Observation(std::shared_ptr<void>(const_cast<Entry *>(entry.get()), std::move(remove)));
}

thread_local bool UnobservedScope::is_active_ = false;

bool Observers::wants(const CompilerJob &job, ArtifactKind product) {
  if (UnobservedScope::is_active()) return false;
  return (list_->kinds.load(std::memory_order_acquire) & bit(product)) ||
         (dump_ && dump_->wants(job, product));
}

Result<void> Observers::product(const CompilerJob &job, ArtifactKind product, std::string_view text) {
  if (dump_ && dump_->wants(job, product)) KILN_CHECK(dump_->product(job, product, text));
  if (!(list_->kinds.load(std::memory_order_acquire) & bit(product))) return {};
  const std::string signature = to_string(job.source->arguments);
  const ObservedProduct seen{product, job.source->method->name.text(), signature, job.config, text};
  std::shared_lock calls(list_->calls);
  std::vector<EntryPtr> entries;
  {
    std::lock_guard lock(list_->mutex);
    entries = list_->entries;
  }
  Result<void> first;
  for (const auto &entry : entries) {
    if (!(entry->kinds & bit(product))) continue;
    Call call(*list_);
    const CallbackScope callback(session_);
    Result<void> shown = call_embedder("the observer given to Session::observe", [&]() -> Result<void> {
      entry->observer(seen);
      return {};
    });
    if (shown.ok() && call.misuse) shown = usage_error(call.misuse);
    if (first.ok()) first = std::move(shown);
  }
  return first;
}

} // namespace kiln
