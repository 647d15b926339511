// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trust_list.h"

#include <support/support.h>

#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr uint64_t max_list_file = uint64_t(1) << 20;
constexpr size_t max_name = 64;
constexpr std::string_view line_hint =
    "a line is: ed25519 KEY [name=NAME] [from=2026-12-01] [until=2027-06-30]";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("._@-").find(c) != std::string_view::npos;
}

class ListParser {
public:
  ListParser(std::string file_name, std::string text)
      : file_(SourceMap().add(std::move(file_name), std::move(text))) {}

  Result<std::vector<TrustedKey>> parse() {
    const std::string_view text = file_->text();
    for (size_t begin = 0; begin < text.size(); line_++) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      parse_line(begin, end);
      begin = end + 1;
    }
    if (!faults_.empty()) return Error(std::move(faults_));
    if (keys_.empty())
      return input_error(fmt::format("the trust list {} has no key", file_->name()), {},
                         std::string(line_hint));
    return std::move(keys_);
  }

private:
  struct Word {
    size_t begin = 0, end = 0;
    std::string_view text;
  };

  std::vector<Word> words_of(size_t begin, size_t end) const {
    const std::string_view text = file_->text();
    std::vector<Word> words;
    for (size_t at = begin; at < end;) {
      if (is_blank(text[at])) {
        at++;
        continue;
      }
      if (text[at] == '#') break;
      const size_t from = at;
      while (at < end && !is_blank(text[at])) at++;
      words.push_back({from, at, text.substr(from, at - from)});
    }
    return words;
  }

  void fault(const Word &word, std::string message, std::string hint = std::string(line_hint)) {
    const Location at{file_, uint32_t(word.begin), uint32_t(word.end)};
    faults_.push_back(
        {.code = ErrorCode::Input, .message = std::move(message), .at = at, .hint = std::move(hint)});
  }

  void parse_line(size_t begin, size_t end) {
    const std::vector<Word> words = words_of(begin, end);
    if (words.empty()) return;
    if (words[0].text.starts_with("ed25519-secret")) {
      // The fault has no source location: a diagnostic would print the line, which is a secret.
      faults_.push_back(
          {.code = ErrorCode::Input,
           .message = fmt::format("{}:{}:1: a secret key in a trust list, which holds public keys",
                                  file_->name(), line_),
           .hint = "take the line of FILE.pub; if others have read this list, make a new key"});
      return;
    }
    if (words[0].text != "ed25519") return fault(words[0], "unknown kind of key: the only one is ed25519");
    if (words.size() < 2) return fault(words[0], "a key's 64 digits are missing");
    TrustedKey key;
    if (!parse_key(words[1], key)) return;
    for (size_t i = 2; i < words.size(); i++)
      if (!parse_field(words[i], key)) return;
    if (key.from >= key.until) return fault(words[1], "this key is never valid: `until` lies before `from`");
    keys_.push_back(std::move(key));
  }

  bool parse_key(const Word &word, TrustedKey &key) {
    if (!read_hex(word.text, key.key)) return fault(word, "a key has 64 digits 0-9 and a-f"), false;
    // Reject points of small order, which would accept forged signatures. Half of all mistyped keys are not
    // even points of the curve.
    if (crypto_core_ed25519_is_valid_point(reinterpret_cast<const unsigned char *>(key.key.data())) != 1)
      return fault(word, "no Ed25519 key has these digits", "copy the line of FILE.pub again"), false;
    auto id = id_of(key.key);
    if (!id.ok()) return fault(word, id.error().diagnostics().front().message, {}), false;
    key.id = *id;
    for (const TrustedKey &other : keys_)
      if (other.id == key.id)
        return fault(word, "this key is in the list already", "leave one of its lines"), false;
    return true;
  }

  bool parse_field(const Word &word, TrustedKey &key) {
    const size_t size = word.text.find('=');
    const std::string_view field = word.text.substr(0, size), value = size == std::string_view::npos
                                                                          ? std::string_view()
                                                                          : word.text.substr(size + 1);
    if (field == "name" && !key.name.empty()) return fault(word, "a key has one name"), false;
    if (field == "name") {
      if (value.empty() || value.size() > max_name || !std::ranges::all_of(value, is_name_character))
        return fault(word, "a name has 1 to 64 characters of A-Z, a-z, 0-9 and ._@-"), false;
      key.name = value;
      return true;
    }
    if (field != "from" && field != "until")
      return fault(word, "unknown word: expected name=, from= or until="), false;
    const std::optional<UtcSpan> time = read_utc(value);
    if (!time)
      return fault(word, "expected a date or a time in UTC: 2026-12-01 or 2026-12-01T08:30:00Z"), false;
    if (field == "from" ? key.from != TrustedKey().from : key.until != TrustedKey().until)
      return fault(word, fmt::format("a key has one date `{}`", field)), false;
    if (field == "from")
      key.from = time->begin;
    else
      key.until = time->end;
    return true;
  }

  std::shared_ptr<const SourceFile> file_;
  size_t line_ = 1;
  std::vector<TrustedKey> keys_;
  std::vector<Diagnostic> faults_;
};

} // namespace

std::string TrustedKey::label() const {
  return name.empty() ? hex_text(id) : fmt::format("{} ({})", name, hex_text(id));
}

Result<TrustList> TrustList::read(const std::string &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return input_error(
        fmt::format("cannot read the trust list {}: {}", path, std::generic_category().message(errno)));
  if ((status.st_uid != ::geteuid() && status.st_uid != 0) || (status.st_mode & 0022))
    return input_error(
        fmt::format("other users may write to the trust list {} (uid {}, mode {:04o})", path, status.st_uid,
                    status.st_mode & 07777),
        {}, "it chooses whose code runs: it has to belong to you or to root, with mode 0644 at most");
  KILN_TRY(std::string text, read_file(path, max_list_file));
  return parse(path, std::move(text));
}

Result<TrustList> TrustList::parse(std::string file_name, std::string text) {
  if (sodium_init() < 0)
    return machine_error("libsodium does not start", "it needs the system's random numbers (getrandom)");
  TrustList list;
  KILN_TRY(list.keys_, ListParser(std::move(file_name), std::move(text)).parse());
  return list;
}

const TrustedKey *TrustList::find(const KeyId &id) const {
  const auto found = std::ranges::find(keys_, id, &TrustedKey::id);
  return found == keys_.end() ? nullptr : &*found;
}

} // namespace kiln
