// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of an OpenCL CPU device (PoCL), in the caller's memory. Without OpenCL at build or run time there
// is no device.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench {

class OpenCl {
public:
  /// Null where there is no CPU device.
  static std::unique_ptr<OpenCl> open();
  virtual ~OpenCl() = default;
  virtual std::string device() const = 0;

  /// An argument: memory of the caller, or bytes.
  struct Argument {
    void *memory = nullptr;
    std::vector<std::byte> bytes;
    size_t size = 0;
    static Argument array(void *memory, size_t size) { return {memory, {}, size}; }
    template <class T> static Argument scalar(T value) {
      auto *from = reinterpret_cast<const std::byte *>(&value);
      return {nullptr, {from, from + sizeof(T)}, sizeof(T)};
    }
  };
  /// Compiles a kernel and binds its arguments; exits with the build log if that fails. The number is for
  /// run().
  virtual size_t load(const char *source, const char *name, const std::vector<Argument> &arguments) = 0;
  /// Runs it and waits. Work-items in all, and those of a group.
  virtual void run(size_t kernel, std::array<size_t, 2> items, std::array<size_t, 2> group) = 0;
};

} // namespace bench
