// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of host libraries, which let evaluated code use features that kernels lack: files, texts,
// dictionaries. Kiln's own host library is the programs library (kiln/program.h).
#pragma once

#include <kiln/extension/language/internal/library_file.h>
#include <kiln/extension/language/internal/world.h>
#include <kiln/forward.h>

#include <memory>
#include <span>
#include <string_view>

namespace kiln {

/// A library for programs and for packages that run code while they load, in addition to runtime/library
/// (SessionOptions::host_library). One object serves any number of sessions.
class KILN_API HostLibrary {
public:
  virtual ~HostLibrary();
  /// Returns the library's Julia files, in load order; they have static lifetime. A session loads them after
  /// bind().
  virtual std::span<const LibraryFile> files() const = 0;
  /// Name of the overlay method table that plain functions and evaluated programs search first. Kernels never
  /// search it.
  virtual std::string_view overlay() const = 0;
  /// Holds from bind() on.
  virtual ArrayPolicy array_policy() const = 0;
  /// Digest of the files, for keys of the persistent cache. Empty: Kiln's build digest covers them.
  virtual std::string_view digest() const = 0;
  /// Binds the host functions that files() call, with interpreter_of (kiln/extension/language/calls.h).
  /// Called before a session loads its first package. The session holds its lock of definitions meanwhile, so
  /// bind must not load, compile or launch. The session keeps the result until it closes.
  virtual Result<std::shared_ptr<void>> bind(Session &session) = 0;
};

} // namespace kiln
