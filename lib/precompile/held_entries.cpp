// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "held_entries.h"

namespace kiln {

HeldEntries::HeldEntries(BlobStore &store, FolderStore *folder, AgentClientOptions options)
    : store_(store), agent_(std::move(options)) {
  agent_.be_patient();
  if (!folder) return;
  there_.emplace();
  for (const auto &entry : folder->list()) there_->insert(entry.key);
}

void HeldEntries::publish(std::span<const Fingerprint> keys) {
  constexpr std::chrono::seconds answer_limit{2};
  for (const Fingerprint &key : keys) {
    if (!key.is_strong() || (there_ && !there_->contains(key))) continue;
    const auto lookup = agent_.fetch(key.strong);
    const auto outcome = lookup ? lookup->wait(AgentClient::Clock::now() + answer_limit) : std::nullopt;
    if (outcome == AgentAnswer::Outcome::Found) continue;
    if (std::optional<std::string> bytes = get_blob(store_, key))
      (void)agent_.put({{key.strong, std::move(*bytes)}});
  }
}

} // namespace kiln
