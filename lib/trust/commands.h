// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands keygen, sign and verify of the program kiln-agent, without its command line. An entry's file
// is named by the 64 hexadecimal digits of the entry's name, in any folder below the store's, as file://
// stores write it. A file of any other name, if it is given by itself, is checked against the name in its
// envelope.
#pragma once

#include "envelope.h"

namespace kiln {

// ---- keygen

struct KeygenOptions {
  std::string file; ///< of the secret key; the public key goes to FILE.pub
  std::string name; ///< in the public key's line; may be empty
};
struct KeygenReport {
  std::string secret_file, public_file;
  std::string public_line;
  KeyId id{};
  std::string text() const; ///< for people, lines
  std::string json() const;
};
/// Errors: Input (a file exists already, no such folder; a name that no trust list takes), Machine. Writes
/// both files or none.
Result<KeygenReport> make_key_files(const KeygenOptions &options);

// ---- files of entries

/// A file that was refused, or could not be read or written.
struct EntryFault {
  std::string path;
  std::optional<Refusal> refusal; ///< nothing: an error of the file system
  std::string message;
};
/// Results of a command for its files.
struct EntryFaults {
  static constexpr size_t max_listed = 1000;
  RefusalCounts refused;
  uint64_t unreadable = 0;        ///< errors of the file system
  std::vector<EntryFault> listed; ///< at most max_listed
  uint64_t total() const { return refused.total() + unreadable; }
  void add(const std::string &path, const Error &error);
};

// ---- verify

struct VerifyOptions {
  std::string trust_keys_file;
  std::vector<std::string> paths; ///< folders, with all below, and files
  UtcSeconds now = utc_now();
};
struct VerifyReport {
  uint64_t accepted = 0;
  uint64_t other_files = 0; ///< in folders: their names are no entry's
  EntryFaults faults;
  bool ok() const { return faults.total() == 0; } ///< else the exit status is 1
  std::string text() const;
  std::string json() const;
};
/// Opens each entry as a reader with `--trust required` would. Any build is accepted. Errors: Input (the
/// trust list; a path that does not exist).
Result<VerifyReport> verify_entries(const VerifyOptions &options);

// ---- sign

struct SignOptions {
  std::string sign_key_file;
  std::string trust_keys_file; ///< empty: no entries of other keys are signed
  std::vector<std::string> paths;
  UtcSeconds now = utc_now();
};
struct SignReport {
  uint64_t newly_signed = 0; ///< nobody had signed them
  uint64_t renewed = 0;      ///< a key of the trust list had signed them
  uint64_t unchanged = 0;    ///< signed by this key before
  uint64_t other_files = 0;
  EntryFaults faults;
  bool ok() const { return faults.total() == 0; }
  std::string text() const;
  std::string json() const;
};
/// Signs entries where they lie: those that nobody signed, and those of keys in the trust list. Whoever signs
/// vouches for the payload. Entries of other keys, damaged and misnamed ones stay as they are and count as
/// refused. Errors: Input (the files of keys; a path that does not exist), Machine.
Result<SignReport> sign_entries(const SignOptions &options);

} // namespace kiln
