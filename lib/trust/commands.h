// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands keygen, sign and verify of the program kiln-agent, without its command line. In file:// stores,
// the file of an entry has the 64 hexadecimal digits of the entry's name as its name, in any folder of the
// store. If the user passes a file with another name, the commands use the entry's name in its envelope.
#pragma once

#include "envelope.h"

namespace kiln {

// ---- keygen

struct KeygenOptions {
  /// Path of the secret key's file; the public key goes to the same path with .pub appended.
  std::string file;
  std::string name; ///< in the public key's line; may be empty
};
struct KeygenReport {
  std::string secret_file, public_file;
  std::string public_line;
  KeyId id{};
  std::string text() const; ///< for people, lines
  std::string json() const;
};
/// Writes the files of both keys, or none. Errors: Input (a file already exists, no such folder; an invalid
/// name), Machine.
Result<KeygenReport> make_key_files(const KeygenOptions &options);

// ---- files of entries

/// A file that was refused, or could not be read or written.
struct EntryFault {
  std::string path;
  std::optional<Refusal> refusal; ///< empty: a file system error
  std::string message;
};
/// Faults of a command's files.
struct EntryFaults {
  static constexpr size_t max_listed = 1000;
  RefusalCounts refused;
  uint64_t unreadable = 0;        ///< file system errors
  std::vector<EntryFault> listed; ///< at most max_listed
  uint64_t total() const { return refused.total() + unreadable; }
  void add(const std::string &path, const Error &error);
};

// ---- verify

struct VerifyOptions {
  std::string trust_keys_file;
  std::vector<std::string> paths; ///< folders, searched recursively, and files
  UtcSeconds now = utc_now();
};
struct VerifyReport {
  uint64_t accepted = 0;
  uint64_t other_files = 0; ///< files found in folders whose names are no entry names
  EntryFaults faults;
  bool ok() const { return faults.total() == 0; } ///< else exit status 1
  std::string text() const;
  std::string json() const;
};
/// Opens each entry as a reader with `--trust required` would, but accepts the entries of any build. Errors:
/// Input (a faulty trust list; a path that does not exist).
Result<VerifyReport> verify_entries(const VerifyOptions &options);

// ---- sign

struct SignOptions {
  std::string sign_key_file;
  /// File of a trust list; empty: entries signed with other keys stay as they are.
  std::string trust_keys_file;
  std::vector<std::string> paths;
  UtcSeconds now = utc_now();
};
struct SignReport {
  uint64_t newly_signed = 0; ///< were unsigned
  uint64_t renewed = 0;      ///< entries that a key of the trust list had signed
  uint64_t unchanged = 0;    ///< were signed by this key
  uint64_t other_files = 0;
  EntryFaults faults;
  bool ok() const { return faults.total() == 0; }
  std::string text() const;
  std::string json() const;
};
/// Signs entries in place: unsigned entries, and entries signed with a key of the trust list. The signer
/// vouches for their payloads. Entries with other keys, damaged entries and misnamed ones stay unchanged and
/// count as refused. Errors: Input (the key files; a path that does not exist), Machine.
Result<SignReport> sign_entries(const SignOptions &options);

} // namespace kiln
