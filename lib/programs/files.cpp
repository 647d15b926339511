// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for files by name: attributes, folders, copies, links and the working folder.
#include "library.h"

#include <algorithm>
#include <atomic>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <support/descriptor.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

/// Runs a system call on one or two paths. Returns 0 or an error number.
int file_call(std::string_view what, const std::string &path, const std::string &other) {
  std::error_code error;
  auto number = [](int result) { return result == 0 ? 0 : errno; };
  if (what == "chdir") return number(::chdir(path.c_str()));
  if (what == "access")
    return number(::access(path.c_str(), other == "w" ? W_OK : other == "x" ? X_OK : R_OK));
  if (what == "link") return number(::link(path.c_str(), other.c_str()));
  if (what == "symlink") return number(::symlink(path.c_str(), other.c_str()));
  if (what == "chmod") return number(::chmod(path.c_str(), mode_t(std::atoi(other.c_str()))));
  if (what == "rename") {
    std::filesystem::rename(path, other, error);
  } else if (what == "copy") {
    using Options = std::filesystem::copy_options;
    std::filesystem::copy(path, other, Options::recursive | Options::copy_symlinks, error);
  } else if (what == "touch") {
    if (std::FILE *made = open_stream(path.c_str(), "a")) std::fclose(made);
    return number(::utimensat(AT_FDCWD, path.c_str(), nullptr, 0));
  } else {
    return EINVAL;
  }
  return error.value();
}

} // namespace

void add_files(Library &l) {
  TypeContext &types = l.types;
  // __file_call(what, path, other): nothing, or the text of the error
  l.add("__file_call", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *what = a[0].as_string(), *path = a[1].as_string(), *other = a[2].as_string();
    if (!what || !path || !other) return Value();
    const int failed = file_call(*what, *path, *other);
    return failed ? l.text(std::strerror(failed)) : l.nothing();
  });
  // __path_call("readlink" or "realpath", path)
  l.add("__path_call", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *what = a[0].as_string(), *path = a[1].as_string();
    if (!what || !path) return Value();
    std::error_code error;
    const auto found = *what == "readlink" ? std::filesystem::read_symlink(*path, error)
                                           : std::filesystem::canonical(*path, error);
    if (error)
      return make_error(ErrorCode::IOError, fmt::format("{}({:?}): {}", *what, *path, error.message()));
    return l.text(found.string());
  });
  // __file_status(path, follows links): (device, inode, mode, links, uid, gid, size, mtime, ctime), all 0 for
  // a missing file
  l.add("__file_status", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *path = a[0].as_string();
    if (!path) return Value();
    struct stat found{};
    if ((a[1].low_bits() & 1 ? ::stat(path->c_str(), &found) : ::lstat(path->c_str(), &found)) != 0)
      found = {};
    auto seconds = [&](const timespec &at) {
      return types.float64(double(at.tv_sec) + double(at.tv_nsec) * 1e-9);
    };
    auto number = [&](auto n) { return types.int64(int64_t(n)); };
    std::vector<Value> parts{number(found.st_dev),   number(found.st_ino),   number(found.st_mode),
                             number(found.st_nlink), number(found.st_uid),   number(found.st_gid),
                             number(found.st_size),  seconds(found.st_mtim), seconds(found.st_ctim)};
    std::vector<TypeRef> of;
    for (const Value &part : parts) of.push_back(types.type_of(part));
    return Value::structure(types.tuple(of), std::move(parts));
  });
  auto of_path = [&](std::string_view name, auto ask) {
    l.add(name, 1, [&, ask](Interpreter &, Args a) -> Result<Value> {
      const std::string *path = a[0].as_string();
      if (!path) return Value();
      std::error_code error;
      return types.boolean(ask(*path, error));
    });
  };
  of_path("__is_file",
          [](const std::string &p, std::error_code &e) { return std::filesystem::is_regular_file(p, e); });
  of_path("__is_directory",
          [](const std::string &p, std::error_code &e) { return std::filesystem::is_directory(p, e); });
  l.add("__folder_entries", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *path = a[0].as_string();
    if (!path) return Value();
    std::error_code error;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator at(*path, error), end; !error && at != end; at.increment(error))
      names.push_back(at->path().filename().string());
    if (error)
      return make_error(ErrorCode::IOError, fmt::format("readdir({:?}): {}", *path, error.message()));
    std::sort(names.begin(), names.end());
    std::vector<Value> texts;
    for (std::string &name : names) texts.push_back(l.text(std::move(name)));
    return make_array_from(l.interpreter, texts, types.builtins().String);
  });
  l.add("__remove", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *path = a[0].as_string();
    if (!path) return Value();
    std::error_code error;
    const bool force = a[1].low_bits() & 1;
    const bool gone = a[2].low_bits() & 1 ? std::filesystem::remove_all(*path, error) > 0
                                          : std::filesystem::remove(*path, error);
    if (!force && (error || !gone))
      return make_error(ErrorCode::IOError,
                        fmt::format("unlink({}): {}", to_string(a[0]),
                                    error ? error.message() : "no such file or directory (ENOENT)"));
    return l.nothing();
  });
  l.add("__make_folder", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *path = a[0].as_string();
    if (!path) return Value();
    std::error_code error;
    std::filesystem::create_directories(*path, error);
    if (error)
      return make_error(ErrorCode::IOError, fmt::format("mkdir({}): {}", to_string(a[0]), error.message()));
    return l.nothing();
  });
  l.add("__temporary_name", 0, [&](Interpreter &, Args) -> Result<Value> {
    static std::atomic<unsigned> count{0};
    return l.text(fmt::format("/tmp/jl_{}_{}", ::getpid(), ++count));
  });
  l.add("__working_folder", 0, [&](Interpreter &, Args) -> Result<Value> {
    std::error_code error;
    return l.text(std::filesystem::current_path(error).string());
  });
}

} // namespace kiln
