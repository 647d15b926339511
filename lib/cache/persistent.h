// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's access to stored products: the store, the locks of its folder, the agent of remote stores, and
// the thread that publishes.
#pragma once

#include "artifact_entry.h"
#include "compile_costs.h"
#include "folder_store.h"
#include "publisher.h"
#include "remote_lookup.h"
#include "store_leases.h"

namespace kiln {

struct PersistentCounters {
  uint64_t hits = 0;   ///< artifacts found in the store
  uint64_t misses = 0; ///< artifacts missing there
  uint64_t published = 0;
  uint64_t damaged = 0;                    ///< entries that could not be read
  uint64_t waited = 0;                     ///< requests while another process compiled the same key
  uint64_t edge_hits = 0, edge_misses = 0; ///< jobs with edge records that still held; jobs without
  // All kinds of entries, counted as in RemoteCounts: requests = hits + misses + errors.
  uint64_t remote_requests = 0, remote_hits = 0, remote_misses = 0, remote_errors = 0, remote_late = 0,
           remote_published = 0;
  // Artifacts missing in both the folder and the remote store, by what followed: missing = joined + late +
  // compiled.
  uint64_t remote_missing = 0, remote_joined = 0, remote_compiled = 0;
  uint64_t store_leases = 0, store_waits = 0; ///< leases granted; compiles that waited for another session's
  StoreStatistics store;
};

/// Reads and publishes a session's stored products. Thread-safe. No call fails: unreadable entries count as
/// missing, and failed writes are lost, with a warning.
class PersistentCache {
public:
  using ArtifactPtr = std::shared_ptr<const Artifact>;
  /// Bounds of the wait for another process that compiles the same key. The wait lasts 4 times the estimated
  /// compile time. After it this process compiles, too.
  static constexpr std::chrono::milliseconds patience{3000}, max_patience{30'000};

  /// `store`, `folder`, `remote`: null if missing. `folder` provides locks. `wants_check`: also compile
  /// artifacts that the store has, and compare.
  PersistentCache(std::shared_ptr<BlobStore> store, std::shared_ptr<FolderStore> folder,
                  std::function<void(const std::string &)> warn, bool wants_check, Timer *timer = nullptr,
                  std::unique_ptr<AgentClient> remote = nullptr);
  ~PersistentCache(); ///< waits for pending publishes

  ArtifactPtr find(Fingerprint key);
  /// Starts a lookup in the remote store. `product`: the product that the caller will compile if the entry is
  /// missing.
  RemoteLookup look_up_remote(const Fingerprint &key, RemoteLookup::Purpose purpose,
                              ArtifactKind product = ArtifactKind::Assembly) {
    if (requires_entries_) purpose = RemoteLookup::Purpose::Require;
    return RemoteLookup(wants_check_ ? nullptr : remote_.get(), remote_ahead_, key, purpose, product,
                        costs_.estimate(product), remote_counts_, warn_);
  }
  /// Fetches entries that jobs will need: one batch from the store, and one round trip to the agent for the
  /// rest. Returns for each key whether this process now has its entry.
  std::vector<bool> read_ahead(const std::vector<Fingerprint> &keys);
  /// True if the remote store sent this entry before it was requested.
  bool is_ahead(const Fingerprint &key) { return key.is_strong() && remote_ahead_.has(key.strong); }
  /// Returns true if read_ahead() saves round trips: there is a remote store, or the store is not a local
  /// folder.
  bool is_far() const { return !wants_check_ && (remote_ || !folder_); }
  /// Decodes the artifact in the content that look_up_remote() returned. Null: the content is no artifact.
  ArtifactPtr read_remote(const Fingerprint &key, std::string_view content);
  /// Writes a content that came from the remote store to the local store, in the background. Releases `lock`
  /// afterwards.
  void keep_remote(std::vector<Fingerprint> keys, std::string content, std::shared_ptr<void> lock = {});
  RemoteCounts &remote_counts() { return remote_counts_; }

  /// Looks in the store like find(), then in the remote store. Waits there as long as its server usually
  /// takes to answer.
  ArtifactPtr find_anywhere(const Fingerprint &key);

  /// Set of machines for which an entry's content is valid.
  enum class Reach : uint8_t {
    Machine, ///< this machine: the content depends on its files
    Fleet,   ///< all machines: the remote store gets the content, too
  };
  /// Finds the content of an entry that is no artifact, such as an edge record. Does not count as a hit or
  /// miss.
  std::optional<std::string> find_content(Fingerprint key, Reach reach = Reach::Machine);
  /// Drops an entry whose content, returned by find_content(), could not be decoded.
  void drop_damaged(Fingerprint key, const Error &why);

  /// The right to compile a key. wait_for_turn() returns at once if no other process compiles the key.
  /// Otherwise it waits until that process has finished, or until the time limit has passed.
  struct Turn {
    ArtifactPtr artifact; ///< set if another process has made it meanwhile
    std::shared_ptr<void> lock;
    bool has_waited = false;
    uint64_t token = 0; ///< of a store's lease; 0: none
  };
  Turn wait_for_turn(Fingerprint key, ArtifactKind product = ArtifactKind::Assembly);

  /// Writes an artifact to the stores, in the background. Releases `lock` afterwards. `token`: the lease of
  /// the first key; 0: none. Skips artifacts that contain addresses of this process.
  void publish(std::vector<Fingerprint> keys, ArtifactPtr artifact, EntryNote note,
               std::shared_ptr<void> lock = {}, uint64_t token = 0);
  /// Writes an entry that is no artifact. `next`: key of the entry that readers will request next, so that a
  /// remote store sends both. Null: none.
  void publish_content(Fingerprint key, std::string content, Reach reach = Reach::Machine,
                       const Fingerprint *next = nullptr);
  /// Waits until all published entries are stored, and adds the hits and misses so far to the folder's
  /// counts.
  void flush();

  bool wants_check() const { return wants_check_; }
  /// Forbids compiles in this session. Call it before the first lookup.
  void require_entries() { requires_entries_ = true; }
  /// Waits longer for the remote store, because the program's purpose is to fill it.
  void be_patient() {
    if (remote_) remote_->be_patient();
  }
  bool has_store() const { return store_ != nullptr; }
  bool has_remote() const { return remote_ != nullptr; }
  bool send_spans(const std::string &json) { return remote_ && remote_->send_spans(json); }
  /// Warns that a stored artifact differs from a compile's result. Drops the key's entries.
  void report_difference(Fingerprint key, const std::string &what);
  PersistentCounters counters() const;
  /// Counts a product that this session compiled.
  void count_made(MissCause cause) { made_[size_t(cause)].fetch_add(1, std::memory_order_relaxed); }
  void count_edges(bool hit) { (hit ? edge_hits_ : edge_misses_).fetch_add(1, std::memory_order_relaxed); }

private:
  ArtifactPtr artifact_of(StoredArtifact stored);
  std::chrono::microseconds turn_limit(ArtifactKind product) const;
  Turn wait_for_lease(const Fingerprint &key, ArtifactKind product);
  ArtifactPtr find_published(Fingerprint key); ///< does not count misses
  std::optional<std::string> load(Fingerprint key);
  std::optional<std::string> load_remote(const Fingerprint &key, RemoteLookup::Purpose purpose);
  void put(std::vector<Blob> blobs, Reach reach, const RemoteName *next = nullptr);
  std::shared_ptr<BlobStore> store_; ///< null: none
  std::shared_ptr<FolderStore> folder_;
  std::function<void(const std::string &)> warn_;
  const bool wants_check_;
  Timer *const timer_; ///< null: no timing report
  std::atomic<uint64_t> hits_{0}, misses_{0}, published_{0}, damaged_{0}, waited_{0}, edge_hits_{0},
      edge_misses_{0}, leases_got_{0}, lease_waits_{0};
  std::array<std::atomic<uint64_t>, num_miss_causes> made_{}; ///< by MissCause
  CompileCosts costs_;
  RemoteCounts remote_counts_;
  std::mutex counts_mutex_;
  FolderStore::Counts published_counts_;                 ///< counts already added to the folder
  std::unique_ptr<AgentClient> remote_;                  ///< null: none
  ReadAhead<std::pair<uint64_t, uint64_t>> store_ahead_; ///< by the XXH3 key
  ReadAhead<RemoteName> remote_ahead_;
  bool requires_entries_ = false;
  StoreLeases leases_;
  Publisher publisher_; ///< declared last: its thread uses the other members
};

} // namespace kiln
