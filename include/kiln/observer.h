// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observers, which see every product of a session's jobs when it is made: Session::observe.
#pragma once

#include <kiln/export.h>
#include <kiln/job.h>

#include <functional>
#include <memory>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// A product of a stage. Its views and references are valid during the observer's call.
struct ObservedProduct {
  ArtifactKind kind;
  std::string_view function;  ///< name of the job's function
  std::string_view signature; ///< Tuple{typeof(f), Float32, ...}, as the language prints it
  const CompilerConfig &config;
  std::string_view bytes; ///< text; binary for Object and Cubin
};

/// Receives a product, on the compiling thread; several threads may call it at once. Calls of the same
/// session from within it are Usage errors. If it throws, destroys an Observation of the same session or
/// calls Session::observe, the compile fails with Usage; the product is still stored. For a job found in the
/// cache's folder, observers see the products that the folder holds. A job found in memory is not shown
/// again.
using ProductObserver = std::function<void(const ObservedProduct &)>;

/// Keeps an observer registered while it lives. The destructor waits for running calls of the observer,
/// unless an observer of the session runs the destructor. May outlive the session.
class KILN_API Observation {
public:
  Observation() = default;
  Observation(Observation &&) noexcept = default;
  Observation &operator=(Observation &&) noexcept = default;
  ~Observation() = default;

  explicit Observation(std::shared_ptr<void> registered) : registered_(std::move(registered)) {}

private:
  std::shared_ptr<void> registered_;
};

} // namespace kiln::inline KILN_API_VERSION
