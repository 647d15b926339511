// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.h"

#include <support/support.h>

#include <filesystem>
#include <unistd.h>

namespace kiln {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t max_envelope_file = uint64_t(1) << 30;

/// Reads the entry's name from its file name. Empty: the file is no entry.
std::optional<Digest> name_of_file(const fs::path &path) { return read_digest(path.filename().string()); }

struct EntryFiles {
  std::vector<std::string> paths;
  uint64_t others = 0;
};

/// Finds the entries' files at and below `paths`, sorted. Does not follow links inside folders.
Result<EntryFiles> find_entry_files(const std::vector<std::string> &paths) {
  EntryFiles found;
  for (const std::string &path : paths) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!fs::exists(status))
      return input_error(fmt::format("cannot read {}: {}", path, code ? code.message() : "no such file"));
    if (!fs::is_directory(status)) {
      found.paths.push_back(path);
      continue;
    }
    fs::recursive_directory_iterator each(path, code);
    for (; !code && each != fs::recursive_directory_iterator(); each.increment(code)) {
      std::error_code gone;
      const fs::file_type type = each->symlink_status(gone).type();
      if (type == fs::file_type::directory || gone) continue;
      if (type == fs::file_type::regular && name_of_file(each->path()))
        found.paths.push_back(each->path().string());
      else
        found.others++;
    }
    if (code) return input_error(fmt::format("cannot read the folder {}: {}", path, code.message()));
  }
  std::ranges::sort(found.paths);
  return found;
}

/// An envelope and its entry's name. The name comes from the file name, or else from the envelope.
struct EntryFile {
  std::string bytes;
  EnvelopeParts parts; ///< of `bytes`
  Digest name{};
};
Result<void> read_entry_file(const std::string &path, EntryFile &file) {
  KILN_TRY(file.bytes, read_file(path, max_envelope_file));
  KILN_TRY(file.parts, split_envelope(file.bytes));
  file.name = name_of_file(path).value_or(file.parts.name);
  return {};
}

Result<void> verify_entry(const std::string &path, const TrustPolicy &policy, UtcSeconds now) {
  EntryFile file;
  KILN_CHECK(read_entry_file(path, file));
  const auto payload = open_envelope(file.name, file.parts.build, file.bytes, policy, now);
  return payload.ok() ? Result<void>() : payload.error();
}

/// Signs entries with one key.
class EntrySigner {
public:
  EntrySigner(const SecretKey &key, TrustList others, UtcSeconds now)
      : key_(key), others_{.list = std::move(others)}, now_(now) {
    own_.list.add({.key = key.public_key(), .id = key.id()});
  }

  Result<void> sign(const std::string &path, SignReport &report) {
    EntryFile file;
    KILN_CHECK(read_entry_file(path, file));
    const bool is_own = file.parts.key_id == key_.id();
    const TrustPolicy &policy = !file.parts.is_signed() ? unsigned_ : is_own ? own_ : others_;
    KILN_TRY(const std::string_view payload,
             open_envelope(file.name, file.parts.build, file.bytes, policy, now_));
    if (is_own) return report.unchanged++, Result<void>();
    KILN_TRY(const std::string sealed, seal_envelope(file.name, file.parts.build, payload, &key_, now_));
    KILN_CHECK(write_file_atomically(path, sealed));
    (file.parts.is_signed() ? report.renewed : report.newly_signed)++;
    return {};
  }

private:
  const SecretKey &key_;
  TrustPolicy unsigned_{.mode = TrustMode::None};
  TrustPolicy own_, others_;
  UtcSeconds now_;
};

/// Formats counts of refused entries: "unknown key: 3, bad signature: 1", or JSON fields.
std::string refusals_text(const RefusalCounts &counts) {
  std::string text;
  for (size_t i = 0; i < num_refusals; i++)
    if (counts.counts[i])
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", text_of(Refusal(i)), counts.counts[i]);
  return text;
}

std::string faults_text(const EntryFaults &faults) {
  std::string text;
  for (const EntryFault &each : faults.listed) text += fmt::format("{}: {}\n", each.path, each.message);
  if (faults.total() > faults.listed.size())
    text += fmt::format("and {} more\n", faults.total() - faults.listed.size());
  return text;
}

std::string counts_text(const EntryFaults &faults, uint64_t other_files) {
  std::string text = fmt::format(", {} refused", faults.refused.total());
  if (faults.refused.total()) text += fmt::format(" ({})", refusals_text(faults.refused));
  if (faults.unreadable) text += fmt::format(", {} not read or written", faults.unreadable);
  if (other_files) text += fmt::format("; {} other files", other_files);
  return text + "\n";
}

std::string faults_json(const EntryFaults &faults, uint64_t other_files) {
  std::string refused, listed;
  for (size_t i = 0; i < num_refusals; i++)
    refused +=
        fmt::format("{}{}: {}", i ? ", " : "", json_string(text_of(Refusal(i))), faults.refused.counts[i]);
  for (const EntryFault &each : faults.listed)
    listed += fmt::format("{}{{\"path\": {}, \"refusal\": {}, \"message\": {}}}", listed.empty() ? "" : ", ",
                          json_string(each.path), each.refusal ? json_string(text_of(*each.refusal)) : "null",
                          json_string(each.message));
  return fmt::format("\"other_files\": {}, \"unreadable\": {}, \"refused\": {{{}}}, \"faults\": [{}]}}\n",
                     other_files, faults.unreadable, refused, listed);
}

} // namespace

void EntryFaults::add(const std::string &path, const Error &error) {
  const std::optional<Refusal> refusal = refusal_of(error);
  if (refusal)
    refused[*refusal]++;
  else
    unreadable++;
  const Diagnostic &first = error.diagnostics().front();
  if (listed.size() < max_listed)
    listed.push_back(
        {path, refusal,
         first.hint.empty() ? first.message : fmt::format("{} ({})", first.message, first.hint)});
}

Result<KeygenReport> make_key_files(const KeygenOptions &options) {
  KILN_TRY(const SecretKey key, SecretKey::generate());
  KeygenReport report{.secret_file = options.file,
                      .public_file = options.file + ".pub",
                      .public_line = public_key_line(key.public_key(), options.name),
                      .id = key.id()};
  // Check the key's name by parsing its line: a trust list might reject the name, or read it as further
  // fields.
  KILN_TRY(const TrustList list, TrustList::parse("--name", report.public_line + "\n"));
  if (list.keys().size() != 1 || list.keys()[0].name != options.name)
    return usage_error(fmt::format("--name {}: expected 1 to 64 of A-Z, a-z, 0-9 and ._@-", options.name));
  // Write the public key first: a secret key is useless without its public key.
  KILN_CHECK(write_new_file(report.public_file, report.public_line + "\n", 0644));
  if (auto written = key.write(report.secret_file); !written.ok()) {
    ::unlink(report.public_file.c_str());
    return written.take_error();
  }
  return report;
}

Result<VerifyReport> verify_entries(const VerifyOptions &options) {
  TrustPolicy policy;
  KILN_TRY(policy.list, TrustList::read(options.trust_keys_file));
  KILN_TRY(const EntryFiles files, find_entry_files(options.paths));
  VerifyReport report{.other_files = files.others};
  for (const std::string &path : files.paths) {
    if (auto verified = verify_entry(path, policy, options.now); verified.ok())
      report.accepted++;
    else
      report.faults.add(path, verified.error());
  }
  return report;
}

Result<SignReport> sign_entries(const SignOptions &options) {
  KILN_TRY(const SecretKey key, SecretKey::read(options.sign_key_file));
  TrustList others;
  if (!options.trust_keys_file.empty()) KILN_TRY(others, TrustList::read(options.trust_keys_file));
  KILN_TRY(const EntryFiles files, find_entry_files(options.paths));
  SignReport report{.other_files = files.others};
  EntrySigner signer(key, std::move(others), options.now);
  for (const std::string &path : files.paths)
    if (auto done = signer.sign(path, report); !done.ok()) report.faults.add(path, done.error());
  return report;
}

std::string KeygenReport::text() const {
  return fmt::format("secret key: {} (for writers: --sign-key; keep it to yourself)\n"
                     "public key: {} (for readers: its line belongs into the file of --trust-keys)\n"
                     "key id:     {}\n",
                     secret_file, public_file, hex_text(id));
}

std::string KeygenReport::json() const {
  return fmt::format("{{\"secret_file\": {}, \"public_file\": {}, \"public_line\": {}, \"id\": {}}}\n",
                     json_string(secret_file), json_string(public_file), json_string(public_line),
                     json_string(hex_text(id)));
}

std::string VerifyReport::text() const {
  return faults_text(faults) + fmt::format("{} accepted", accepted) + counts_text(faults, other_files);
}

std::string VerifyReport::json() const {
  return fmt::format("{{\"accepted\": {}, ", accepted) + faults_json(faults, other_files);
}

std::string SignReport::text() const {
  return faults_text(faults) +
         fmt::format("{} signed, {} signed again, {} unchanged", newly_signed, renewed, unchanged) +
         counts_text(faults, other_files);
}

std::string SignReport::json() const {
  return fmt::format("{{\"signed\": {}, \"renewed\": {}, \"unchanged\": {}, ", newly_signed, renewed,
                     unchanged) +
         faults_json(faults, other_files);
}

} // namespace kiln
