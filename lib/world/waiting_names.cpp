// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.h"

namespace kiln {

NameDefiner::~NameDefiner() = default;

uint32_t WaitingNames::find(std::string_view text, uint32_t hash) const {
  if (buckets_.empty()) return none;
  for (size_t at = hash;; ++at) {
    const uint32_t found = buckets_[at & (buckets_.size() - 1)];
    if (found == none || (names_[found].hash == hash && names_[found].text == text)) return found;
  }
}

void WaitingNames::grow() {
  buckets_.assign(std::max<size_t>(64, 4 * buckets_.size()), none);
  for (uint32_t i = 0; i < names_.size(); ++i) {
    size_t at = names_[i].hash;
    while (buckets_[at & (buckets_.size() - 1)] != none) ++at;
    buckets_[at & (buckets_.size() - 1)] = i;
  }
}

WaitingNames::Name &WaitingNames::find_or_add(std::string_view text, uint32_t hash) {
  if (const uint32_t found = find(text, hash); found != none) return names_[found];
  if (2 * names_.size() >= buckets_.size()) grow();
  size_t at = hash;
  while (buckets_[at & (buckets_.size() - 1)] != none) ++at;
  buckets_[at & (buckets_.size() - 1)] = uint32_t(names_.size());
  return names_.emplace_back(Name{text, hash});
}

bool WaitingNames::add(const std::shared_ptr<NameDefiner> &definer, const EmbeddedName &name, size_t index) {
  Name &found = find_or_add(name.name, name.hash);
  if (found.step != Step::Waits) return false;
  if (definers_.empty() || definers_.back() != definer) definers_.push_back(definer);
  const auto added = uint32_t(definitions_.size());
  definitions_.push_back({uint32_t(definers_.size() - 1), uint32_t(index)});
  (found.first == none ? found.first : definitions_[found.last].next) = added;
  found.last = added;
  return true;
}

bool WaitingNames::is_defined(std::string_view name) const {
  const uint32_t found = find(name, hash_of_name(name));
  return found != none && names_[found].step == Step::Defined;
}

std::vector<WaitingNames::Definition> WaitingNames::start(std::string_view name) {
  Name &found = find_or_add(name, hash_of_name(name));
  std::vector<Definition> waiting;
  if (found.step != Step::Waits) return waiting;
  for (uint32_t at = found.first; at != none; at = definitions_[at].next)
    waiting.push_back({definers_[definitions_[at].definer], definitions_[at].index});
  found.step = Step::Runs;
  if (waiting.empty()) finish(name);
  return waiting;
}

void WaitingNames::finish(std::string_view name) {
  find_or_add(name, hash_of_name(name)).step = Step::Defined;
}

std::string_view WaitingNames::next(size_t &from) const {
  for (; from < names_.size(); ++from)
    if (names_[from].step == Step::Waits) return names_[from].text;
  return {};
}

Result<void> CompilerWorld::add_names(std::shared_ptr<NameDefiner> definer,
                                      std::span<const EmbeddedName> names) {
  std::vector<size_t> known;
  {
    std::scoped_lock hold(state_->lock);
    for (size_t i = 0; i < names.size(); ++i)
      if (!state_->waiting.add(definer, names[i], i)) known.push_back(i);
  }
  std::lock_guard hold(*state_->evaluation);
  for (size_t i : known) KILN_CHECK(definer->define(i));
  return {};
}

Result<void> CompilerWorld::complete(Symbol name) const {
  {
    std::shared_lock hold(state_->lock);
    if (state_->waiting.is_defined(name.text())) return {};
  }
  std::lock_guard evaluation(*state_->evaluation);
  std::vector<WaitingNames::Definition> waiting;
  {
    std::scoped_lock hold(state_->lock);
    waiting = state_->waiting.start(name.text());
  }
  if (waiting.empty()) return {};
  Result<void> result;
  {
    const State::Completing completing(*state_, /*of_names=*/true);
    for (const auto &[definer, index] : waiting)
      if (Result<void> defined = definer->define(index); !defined.ok() && result.ok())
        result = std::move(defined);
  }
  std::scoped_lock hold(state_->lock);
  state_->waiting.finish(name.text());
  return result;
}

Result<void> CompilerWorld::define_names() const {
  for (size_t from = 0;;) {
    std::string_view next;
    {
      std::shared_lock hold(state_->lock);
      next = state_->waiting.next(from);
    }
    if (next.empty()) return {};
    KILN_CHECK(complete(types_.symbol(next)));
  }
}

} // namespace kiln
