// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "language_files.h"

#include <kiln/extension/language/library.h>
#include <kiln/worker.h>
#include <support/exceptions.h>

#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <mutex>

namespace kiln {

LanguageList::LanguageList() = default;
LanguageList::~LanguageList() = default;
void LanguageList::add(FrontendFactory language) { languages_.push_back(std::move(language)); }
void LanguageList::fail(std::string message) { faults_.push_back(std::move(message)); }

namespace {

constexpr const char *library_entry = "kiln_language_library", *library_abi = "kiln_language_abi";
/// Must equal KILN_C_LANGUAGE_ABI in kiln/c_frontend.h. Structures of the C API contain their size, so
/// libraries in C also work with later builds of Kiln.
constexpr std::string_view library_c_abi = "C of libkiln.so.0";
constexpr const char *how_to_write =
    "docs/guide/embed-a-language.md shows how a library offers a language (KILN_LANGUAGE_LIBRARY)";

std::string text_of_last_error() {
  const char *text = dlerror();
  return text ? text : "the system does not say why";
}

/// Returns the path of the shared object that contains the address; empty if unknown.
std::string file_of_address(const void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? info.dli_fname : std::string();
}

const void *load_address_of(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

class LibraryLoader {
public:
  explicit LibraryLoader(const std::string &path) : path_(path) {}

  Result<void *> open() {
    KILN_CHECK(check_file());
    // For a name without a slash, dlopen searches the system's folders only, so a file in the working folder
    // comes first. RTLD_NOW: missing functions fail here, not in the middle of a compile.
    std::error_code unknown;
    const bool is_here = path_.find('/') == std::string::npos &&
                         std::filesystem::exists(std::filesystem::path(path_), unknown);
    void *handle = dlopen((is_here ? "./" + path_ : path_).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle) return handle;
    const std::string why = text_of_last_error();
    const bool lacks_symbol =
        why.find("undefined symbol") != std::string::npos || why.find("version `") != std::string::npos;
    if (lacks_symbol)
      return fault("needs what this Kiln does not have: " + why,
                   "it was built for another version: build it again with the headers of this one");
    return fault("cannot be loaded: " + why, "name a shared library (libNAME.so) for this machine");
  }

  /// Checks that the library links this libkiln.so and was built for this version.
  Result<void> check_build(void *handle) {
    const auto *abi = static_cast<const char *>(dlsym(handle, library_abi));
    if (!dlsym(handle, library_entry) || !abi)
      return fault(std::string("is no library of languages: it has no ") + (abi ? library_entry
                                                                            : dlsym(handle, library_entry)
                                                                                ? library_abi
                                                                                : library_entry),
                   how_to_write);
    if (abi != library_c_abi && std::string_view(abi) != KILN_LANGUAGE_ABI)
      return fault(fmt::format("was built for another Kiln (\"{}\"), and this is build {} (\"{}\")", abi,
                               build_id(), KILN_LANGUAGE_ABI),
                   "build it again with the headers of this one");
    // The library must be linked with the same libkiln.so that holds the session.
    void *theirs = dlsym(handle, "kiln_build_id");
    if (!theirs || load_address_of(theirs) == load_address_of(reinterpret_cast<const void *>(&build_id)))
      return {};
    const std::string build = reinterpret_cast<const char *(*)()>(theirs)();
    return fault(fmt::format("brings a second Kiln into the process: {} of build {} beside {} of build {}",
                             file_of_address(theirs), build,
                             file_of_address(reinterpret_cast<const void *>(&build_id)), build_id()),
                 "link it to the libkiln.so.0 of this build, and link the program that loads it to "
                 "Kiln::kiln, not to Kiln::kiln_static");
  }

  Error fault(std::string what, std::string hint) const {
    return Error(Diagnostic{.code = ErrorCode::Usage,
                            .message = fmt::format("the language library {} {}", path_, what),
                            .hint = std::move(hint)});
  }

private:
  /// Checks the file first, since dlopen's message for a missing or wrong file would not name the cause.
  Result<void> check_file() const {
    if (path_.empty()) return usage_error("the path of a language library is empty");
    std::error_code unknown;
    if (path_.find('/') != std::string::npos && !std::filesystem::exists(path_, unknown))
      return fault("does not exist", "name a shared library (libNAME.so)");
    if (std::filesystem::is_directory(path_, unknown))
      return fault("is a folder", "name a shared library (libNAME.so)");
    return {};
  }

  const std::string &path_;
};

} // namespace

/// All loaded language libraries of the process. Calls each library's entry function once. A friend of
/// LanguageList.
struct LanguageFiles {
  std::mutex mutex;                                            ///< also serialises entry functions
  std::map<const void *, std::vector<FrontendFactory>> loaded; ///< factories by the library's dlopen handle

  static LanguageFiles &of_process() {
    static auto *all = new LanguageFiles; // never destroyed, since sessions may open while the process exits
    return *all;
  }

  Result<void> load(const std::string &path, std::vector<OfferedLanguage> &into) {
    LibraryLoader loader(path);
    KILN_TRY(void *handle, loader.open());
    std::lock_guard lock(mutex);
    auto found = loaded.find(handle);
    if (found == loaded.end()) {
      KILN_CHECK(loader.check_build(handle));
      KILN_TRY(std::vector<FrontendFactory> languages, call_entry(loader, path, handle));
      found = loaded.emplace(handle, std::move(languages)).first;
    }
    for (const FrontendFactory &language : found->second) into.push_back({language, path});
    return {};
  }

private:
  static Result<std::vector<FrontendFactory>> call_entry(const LibraryLoader &loader, const std::string &path,
                                                         void *handle) {
    const auto entry = reinterpret_cast<void (*)(LanguageList &)>(dlsym(handle, library_entry));
    LanguageList list;
    KILN_CHECK(
        call_embedder([&] { return fmt::format("{} of the language library {}", library_entry, path); },
                      [&]() -> Result<void> {
                        entry(list);
                        return {};
                      }));
    if (!list.faults_.empty()) return loader.fault("failed: " + list.faults_[0], {});
    if (list.languages_.empty()) return loader.fault("offers no language", how_to_write);
    return std::move(list.languages_);
  }
};

Result<std::vector<OfferedLanguage>> offered_languages(const SessionOptions &options) {
  std::vector<OfferedLanguage> all;
  for (const FrontendFactory &make : options.languages) all.push_back({make});
  for (const std::string &path : options.language_files)
    KILN_CHECK(LanguageFiles::of_process().load(path, all));
  return all;
}

} // namespace kiln
