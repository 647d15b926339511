// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeing every product of every job of a session as it is made: Session::observe.
#pragma once

#include <kiln/export.h>
#include <kiln/job.h>

#include <functional>
#include <memory>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// A product of a stage. Its views and references are valid during the call of the observer.
struct ObservedProduct {
  ArtifactKind kind;
  std::string_view function;  ///< of the job, by its name
  std::string_view signature; ///< Tuple{typeof(f), Float32, ...}, as the language prints it
  const CompilerConfig &config;
  std::string_view bytes; ///< text, but for Object and Cubin
};

/// Called on the compiling thread, several at once. A call of the same session within it is a Usage error. If
/// it throws, drops an Observation of the same session or calls Session::observe, the compile is a Usage
/// error; the product is still made and kept. A job that the cache folder answers shows the cached products.
/// One that was in memory shows nothing, since it was shown when it was loaded.
using ProductObserver = std::function<void(const ObservedProduct &)>;

/// As long as it lives, its observer sees products. When the destructor has returned, no call of it is under
/// way, unless it was dropped within an observer of the session. May outlive the session.
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
