// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports all entries of a cache folder as an OCI image layout (github.com/opencontainers/image-spec, version
// 1.0): one layer, a config that names the cache folder, a manifest, and an index.
#include "cache_state.h"
#include "tar_layer.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace kiln {

namespace {

namespace fs = std::filesystem;

constexpr const char *folder_in_image = "var/cache/kiln"; ///< documented in kiln/cache.h
constexpr const char *tag = "latest";                     ///< the default tag of tools

#if defined(__aarch64__)
constexpr const char *architecture = "arm64";
#elif defined(__x86_64__)
constexpr const char *architecture = "amd64";
#else
#error "the name of this architecture in OCI's words (GOARCH) is missing"
#endif

/// A new folder with files. They are written to a scratch folder beside it, which is renamed when it is
/// complete.
class NewFolder {
public:
  /// Makes the scratch folder. Error: Input, if the destination is not an empty folder, or cannot be written.
  static Result<NewFolder> begin(const std::string &place) {
    fs::path path = fs::path(place).lexically_normal();
    if (!path.has_filename()) path = path.parent_path(); // "images/"
    std::error_code error;
    if (fs::exists(path, error) && (!fs::is_directory(path, error) || !fs::is_empty(path, error)))
      return input_error(fmt::format("{} exists and is no empty folder", place), {},
                         "name another folder, or remove this one");
    std::string scratch = path.string() + ".XXXXXX";
    if (!::mkdtemp(scratch.data())) return write_error(path, {errno, std::system_category()});
    return NewFolder(path, scratch);
  }
  NewFolder(NewFolder &&other) noexcept
      : place_(std::move(other.place_)), scratch_(std::exchange(other.scratch_, {})) {}
  NewFolder &operator=(NewFolder &&) = delete;
  ~NewFolder() {
    std::error_code ignored;
    if (!scratch_.empty()) fs::remove_all(scratch_, ignored);
  }

  /// Writes a file of the new folder. Errors: Machine if the disk is full, else Input.
  Result<void> write(const std::string &name, std::string_view content) const {
    const fs::path path = content_folder() / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return write_error(place_, error);
    return write_file_atomically(path.string(), content);
  }
  Result<void> finish() const {
    std::error_code error;
    fs::rename(content_folder(), place_, error); // replaces an empty folder
    return error ? Result<void>(write_error(place_, error)) : Result<void>();
  }

private:
  NewFolder(fs::path place, std::string scratch) : place_(std::move(place)), scratch_(std::move(scratch)) {}
  fs::path content_folder() const {
    return fs::path(scratch_) / "layout";
  } // a subfolder, since mkdtemp() gives the scratch folder mode 0700
  static Error write_error(const fs::path &place, const std::error_code &error) {
    std::string message = fmt::format("cannot write {}: {}", place.string(), error.message());
    return error == std::errc::no_space_on_device ? machine_error(std::move(message))
                                                  : input_error(std::move(message));
  }

  fs::path place_;
  std::string scratch_; ///< empty: moved from
};

/// Writes a blob to a file named by its digest. Returns the OCI descriptor as JSON, without the closing
/// brace.
Result<std::string> write_blob(const NewFolder &folder, std::string_view media_type, std::string_view blob) {
  OciDigest digest;
  digest.update(blob);
  const std::string text = digest.text();
  KILN_CHECK(folder.write("blobs/sha256/" + text.substr(text.find(':') + 1), blob));
  return fmt::format(R"({{"mediaType":"application/vnd.oci.image.{}","digest":"{}","size":{})", media_type,
                     text, blob.size());
}

Result<void> write_layout(const NewFolder &folder, const TarLayer::Finished &layer) {
  KILN_TRY(const std::string layer_blob, write_blob(folder, "layer.v1.tar+gzip", layer.bytes));
  const std::string config = fmt::format(
      R"({{"architecture":"{}","os":"linux","config":{{"Env":["KILN_SHARED_CACHE_DIR=/{}"]}},)"
      R"("rootfs":{{"type":"layers","diff_ids":["{}"]}},"history":[{{"created_by":"kiln cache export --oci"}}]}})",
      architecture, folder_in_image, layer.digest);
  KILN_TRY(const std::string config_blob, write_blob(folder, "config.v1+json", config));
  const std::string manifest = fmt::format(
      R"({{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{}}},"layers":[{}}}]}})",
      config_blob, layer_blob);
  KILN_TRY(const std::string manifest_blob, write_blob(folder, "manifest.v1+json", manifest));
  KILN_CHECK(folder.write(
      "index.json",
      fmt::format(
          R"({{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{},)"
          R"("platform":{{"architecture":"{}","os":"linux"}},"annotations":{{"org.opencontainers.image.ref.name":"{}"}}}}]}})",
          manifest_blob, architecture, tag)));
  return folder.write("oci-layout", R"({"imageLayoutVersion":"1.0.0"})");
}

} // namespace

Result<CacheExport> CacheFolder::export_image(const std::string &folder) const {
  KILN_CHECK(check_usable());
  KILN_TRY(const NewFolder made, NewFolder::begin(folder));
  FolderStore &store = *state_->folder;
  TarLayer layer;
  std::string parent; // folder of the last file: a tar archive lists each folder before its files
  auto add_folders = [&](const fs::path &path) {
    fs::path folders;
    for (const fs::path &part : path) {
      folders /= part;
      if (!parent.starts_with(folders.string())) layer.add_folder(folders.string());
    }
    parent = path.string();
  };
  CacheExport done;
  for (const auto &entry : store.list()) {
    const std::optional<std::string> bytes = get_blob(store, entry.key);
    if (!bytes || !open_entry(entry.key, *bytes).ok()) continue;
    const fs::path path = fs::path(folder_in_image) / entry_path(entry.key);
    add_folders(path.parent_path());
    layer.add_file(path.string(), *bytes);
    done.entries++;
  }
  if (!done.entries)
    return machine_error(fmt::format("the cache folder {} has no entries", path()),
                         "fill it with kiln precompile");
  KILN_CHECK(write_layout(made, layer.finish()));
  KILN_CHECK(made.finish());
  return done;
}

} // namespace kiln
