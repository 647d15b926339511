// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assemblers.h"

#include "worker_processes.h"

#include <cache/cache.h>
#include <support/timed_lock.h>

#include <sys/stat.h>

namespace kiln {
namespace {

/// Digest of the files that determine a target's assembler: their paths, sizes and modification times.
struct AssemblerFiles {
  Fingerprint digest;
  bool any_exists = false;
};

AssemblerFiles stat_files(const Target &target) {
  Fingerprinter digest;
  digest.add("kiln assembler 2").add(content_version).add(target.name()).add(target.version());
  AssemblerFiles files;
  for (const std::string &path : target.assembler_files()) {
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    files.any_exists |= exists;
    digest.add(path).add(exists).add(status.st_size).add(status.st_mtim.tv_sec).add(status.st_mtim.tv_nsec);
  }
  files.digest = digest.finish();
  return files;
}

/// Name and version of the assembler that the store recorded for these files. Empty: the store has no record.
std::string remembered_identity(PersistentCache &persistent, Fingerprint files) {
  auto content = persistent.find_content(files);
  if (!content) return {};
  auto text = read_text(*content);
  if (text.ok()) return std::move(*text);
  persistent.drop_damaged(files, text.error());
  return {};
}

} // namespace

Result<const Assembler *> Assemblers::of(const Target &target) {
  std::unique_lock lock(mutex_, std::defer_lock);
  lock_timed(lock, Stage::WaitForAssembler);
  std::unique_ptr<Assembler> &assembler = found_[target.identity()]; // the reference stays valid
  if (!assembler && processes_ && processes_->serves(target)) {
    // Release the lock: starting a process may take long, and a thread that waits for a lock cannot be
    // cancelled.
    lock.unlock();
    auto made = [&] {
      StageScope scope(Timer::of_thread(), Stage::FindAssembler);
      return processes_->assembler_of(target);
    }();
    lock.lock();
    if (!made.ok()) return made.take_error();
    if (!assembler) assembler = std::move(*made); // else another thread was faster
  }
  if (!assembler) {
    StageScope scope(Timer::of_thread(), Stage::FindAssembler); // opens the tool's library: 40 ms or more
    KILN_TRY(assembler, target.make_assembler());
  }
  return assembler.get();
}

std::string Assemblers::identity(const Target &target, PersistentCache *persistent) {
  {
    std::lock_guard lock(mutex_);
    if (auto found = identities_.find(target.identity()); found != identities_.end()) return found->second;
  }
  StageScope scope(Timer::of_thread(), Stage::FindAssembler);
  const AssemblerFiles files = stat_files(target);
  const bool is_remembered = persistent && files.any_exists;
  std::string identity = is_remembered ? remembered_identity(*persistent, files.digest) : std::string();
  if (identity.empty()) {
    auto loaded = of(target);
    if (!loaded.ok()) return {}; // not cached: the assembler may be installed later
    identity = (*loaded)->identity();
    if (is_remembered) persistent->publish_content(files.digest, text_content(identity));
  }
  std::lock_guard lock(mutex_);
  return identities_.emplace(target.identity(), std::move(identity)).first->second;
}

std::string Assemblers::device_library(const Target &target) {
  std::lock_guard lock(mutex_);
  if (auto found = libraries_.find(target.identity()); found != libraries_.end()) return found->second;
  StageScope scope(Timer::of_thread(), Stage::TargetLibraries);
  return libraries_.emplace(target.identity(), target.library_digest()).first->second;
}

} // namespace kiln
