// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's way to what outlives it: a store, the locks of its folder, the agent of remote stores, and the
// thread that publishes.
#pragma once

#include "artifact_entry.h"
#include "compile_costs.h"
#include "folder_store.h"
#include "publisher.h"
#include "remote_lookup.h"
#include "store_leases.h"

namespace kiln {

struct PersistentCounters {
  uint64_t hits = 0;   ///< artifacts that came from the store
  uint64_t misses = 0; ///< that were not there
  uint64_t published = 0;
  uint64_t damaged = 0;                    ///< entries that could not be read
  uint64_t waited = 0;                     ///< asked while another process compiled the same
  uint64_t edge_hits = 0, edge_misses = 0; ///< jobs whose recorded edges held, and did not
  // Entries of all kinds, by RemoteCounts: requests = hits + misses + errors.
  uint64_t remote_requests = 0, remote_hits = 0, remote_misses = 0, remote_errors = 0, remote_late = 0,
           remote_published = 0;
  // Artifacts that neither the folder nor the remote store had: missing = joined + late + compiled.
  uint64_t remote_missing = 0, remote_joined = 0, remote_compiled = 0;
  uint64_t store_leases = 0, store_waits = 0; ///< leases got; compiles that waited for another session's
  StoreStatistics store;
};

/// Thread-safe; nothing here fails: what cannot be read is not there, what cannot be written is lost, with a
/// warning.
class PersistentCache {
public:
  using ArtifactPtr = std::shared_ptr<const Artifact>;
  /// How long a process waits for another one that compiles the same before it does so itself.
  static constexpr std::chrono::milliseconds patience{3000};

  /// `store`, null: none. `folder`: where locks are, null: there are none. `wants_check`: hits are compiled
  /// all the same, and compared. `remote`, null: none.
  PersistentCache(std::shared_ptr<BlobStore> store, std::shared_ptr<FolderStore> folder,
                  std::function<void(const std::string &)> warn, bool wants_check, Timer *timer = nullptr,
                  std::unique_ptr<AgentClient> remote = nullptr);
  ~PersistentCache(); ///< waits for what is being published

  ArtifactPtr find(Fingerprint key);
  /// Asks the remote store. `product`: that the caller compiles if the entry is absent.
  RemoteLookup look_up_remote(const Fingerprint &key, RemoteLookup::Purpose purpose,
                              ArtifactKind product = ArtifactKind::Assembly) {
    if (requires_entries_) purpose = RemoteLookup::Purpose::Require;
    return RemoteLookup(wants_check_ ? nullptr : remote_.get(), remote_ahead_, key, purpose, product,
                        costs_.estimate(product), remote_counts_, warn_);
  }
  /// Fetches entries that jobs will ask for: one batch from the store, and one round trip to the agent for
  /// those that the store does not have. Returns which of them are here now.
  std::vector<bool> read_ahead(const std::vector<Fingerprint> &keys);
  /// The remote store has sent the entry ahead.
  bool is_ahead(const Fingerprint &key) { return key.is_strong() && remote_ahead_.has(key.strong); }
  /// Whether read_ahead() saves round trips: the cache's folder has none.
  bool is_far() const { return !wants_check_ && (remote_ || !folder_); }
  /// The artifact in the content of a remote entry, for find_remote's callers. Null: it holds none.
  ArtifactPtr read_remote(const Fingerprint &key, std::string_view content);
  /// Keeps a content that came from the remote store, in the background. `lock`: given back when it is done.
  void keep_remote(std::vector<Fingerprint> keys, std::string content, std::shared_ptr<void> lock = {});
  RemoteCounts &remote_counts() { return remote_counts_; }

  /// find(), then the remote store, as long as its server usually takes.
  ArtifactPtr find_anywhere(const Fingerprint &key);

  /// Machines that may use a content.
  enum class Reach : uint8_t {
    Machine, ///< it depends on this machine's files
    Fleet,   ///< the remote store has it too
  };
  /// The content of another kind of entry. Does not count as a hit or miss of artifacts.
  std::optional<std::string> find_content(Fingerprint key, Reach reach = Reach::Machine);
  /// What find_content gave cannot be understood: drops it.
  void drop_damaged(Fingerprint key, const Error &why);

  /// The right to compile `key`: at once, or when another process is done or `patience` is over. Then what
  /// that process has left, if it did.
  struct Turn {
    ArtifactPtr artifact; ///< another process was faster
    std::shared_ptr<void> lock;
    bool has_waited = false;
    uint64_t token = 0; ///< of a store's lease; 0: of none
  };
  Turn wait_for_turn(Fingerprint key);

  /// In the background. `lock`: given back when it is done; `token`: of the first key's lease. Artifacts that
  /// are bound to this session are left out.
  void publish(std::vector<Fingerprint> keys, ArtifactPtr artifact, EntryNote note,
               std::shared_ptr<void> lock = {}, uint64_t token = 0);
  /// `next`: the entry that readers ask for after this one, so that a remote store sends both; null: none.
  void publish_content(Fingerprint key, std::string content, Reach reach = Reach::Machine,
                       const Fingerprint *next = nullptr);
  /// Until all of it is there, with the hits and misses so far.
  void flush();

  bool wants_check() const { return wants_check_; }
  /// The session must not compile. Before the first look-up.
  void require_entries() { requires_entries_ = true; }
  bool has_store() const { return store_ != nullptr; }
  bool has_remote() const { return remote_ != nullptr; }
  bool send_spans(const std::string &json) { return remote_ && remote_->send_spans(json); }
  /// Says that an entry is not what a compile gives. Entries of that key are dropped.
  void report_difference(Fingerprint key, const std::string &what);
  PersistentCounters counters() const;
  void count_edges(bool hit) { (hit ? edge_hits_ : edge_misses_).fetch_add(1, std::memory_order_relaxed); }

private:
  ArtifactPtr artifact_of(StoredArtifact stored);
  Turn wait_for_lease(const Fingerprint &key);
  ArtifactPtr find_published(Fingerprint key); ///< does not count a miss
  std::optional<std::string> load(Fingerprint key);
  std::optional<std::string> load_remote(const Fingerprint &key, RemoteLookup::Purpose purpose);
  void put(std::vector<Blob> blobs, Reach reach, const RemoteName *next = nullptr);
  std::shared_ptr<BlobStore> store_; ///< null: none
  std::shared_ptr<FolderStore> folder_;
  std::function<void(const std::string &)> warn_;
  const bool wants_check_;
  Timer *const timer_; ///< null: nobody asks where the time goes
  std::atomic<uint64_t> hits_{0}, misses_{0}, published_{0}, damaged_{0}, waited_{0}, edge_hits_{0},
      edge_misses_{0}, leases_got_{0}, lease_waits_{0};
  CompileCosts costs_;
  RemoteCounts remote_counts_;
  std::mutex told_mutex_;
  FolderStore::Counts told_;                             ///< what the folder has of hits_ and misses_
  std::unique_ptr<AgentClient> remote_;                  ///< null: none
  ReadAhead<std::pair<uint64_t, uint64_t>> store_ahead_; ///< by the short key
  ReadAhead<RemoteName> remote_ahead_;
  bool requires_entries_ = false;
  StoreLeases leases_;
  Publisher publisher_; ///< last: its thread uses the others
};

} // namespace kiln
