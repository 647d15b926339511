// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trust_tool keygen FILE NAME
//            seal NAME BUILD KEY_FILE|- PAYLOAD OUTPUT     `-`: nobody signs
//            open NAME BUILD LIST|- ENVELOPE OUTPUT        `-`: without trust
//            sign KEY_FILE LIST|- PATH...
//            verify LIST PATH...
//
// What lib/trust does, for tests in Python. NAME: 64 digits. Exit status: 0, 1 refused, else the error's
// kind.
#include <trust/trust.h>

#include <support/support.h>

#include <cstdio>

using namespace kiln;

namespace {

int fail(const Error &error) {
  const auto refusal = refusal_of(error);
  std::fprintf(stderr, "%s%s", refusal ? fmt::format("[{}] ", text_of(*refusal)).c_str() : "",
               error.what().c_str());
  return refusal ? 1 : int(error.kind());
}

int report(const std::string &text, bool ok) {
  std::fputs(text.c_str(), stdout);
  return ok ? 0 : 1;
}

Result<int> run(const std::vector<std::string> &words) {
  const std::string &command = words.at(0);
  const auto rest = [&](size_t from) {
    return std::vector<std::string>(words.begin() + std::ptrdiff_t(from), words.end());
  };
  if (command == "keygen") {
    KILN_TRY(const KeygenReport made, make_key_files({.file = words.at(1), .name = words.at(2)}));
    return report(made.json(), true);
  }
  if (command == "verify") {
    KILN_TRY(const VerifyReport made, verify_entries({.trust_keys_file = words.at(1), .paths = rest(2)}));
    return report(made.json(), made.ok());
  }
  if (command == "sign") {
    KILN_TRY(const SignReport made, sign_entries({.sign_key_file = words.at(1),
                                                  .trust_keys_file = words.at(2) == "-" ? "" : words.at(2),
                                                  .paths = rest(3)}));
    return report(made.json(), made.ok());
  }

  const std::optional<Digest> name = read_digest(words.at(1));
  if (!name) return usage_error("NAME has 64 digits");
  const std::string &build = words.at(2);
  KILN_TRY(const std::string input, read_file(words.at(4)));
  if (command == "seal") {
    std::optional<SecretKey> key;
    if (words.at(3) != "-") KILN_TRY(key, SecretKey::read(words.at(3)));
    KILN_TRY(const std::string sealed, seal_envelope(*name, build, input, key ? &*key : nullptr, utc_now()));
    KILN_CHECK(write_file_atomically(words.at(5), sealed));
    return 0;
  }
  if (command != "open") return usage_error("see the first lines of trust_tool.cpp");
  TrustPolicy policy{.mode = words.at(3) == "-" ? TrustMode::None : TrustMode::Required};
  if (policy.mode == TrustMode::Required) KILN_TRY(policy.list, TrustList::read(words.at(3)));
  KILN_TRY(const std::string_view payload, open_envelope(*name, build, input, policy, utc_now()));
  KILN_CHECK(write_file_atomically(words.at(5), payload));
  return 0;
}

} // namespace

int main(int count, char **words) {
  const auto status = run(std::vector<std::string>(words + 1, words + count));
  return status.ok() ? *status : fail(status.error());
}
