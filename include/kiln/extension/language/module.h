// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module as a value: its name and parent. Component world manages its contents.
#pragma once

#include <kiln/extension/language/symbol.h>

#include <memory>
#include <string>

namespace kiln {

struct ModuleContents; // component world

/// A module. It lives as long as its World; two modules are equal only if they are the same object.
class Module {
public:
  Module(Symbol name, const Module *parent) : name_(name), parent_(parent) {}
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;
  Symbol name() const { return name_; }
  const Module *parent() const { return parent_; } ///< null for a root module
  /// Returns the name with all parents: "Main.Inner". A root module has only its own name: "Base", "CUDA".
  std::string full_name() const {
    return parent_ ? parent_->full_name() + "." + std::string(name_.text()) : std::string(name_.text());
  }

private:
  friend class CompilerWorld;
  friend class World;
  Symbol name_;
  const Module *parent_;
  std::shared_ptr<ModuleContents> contents_;
};

} // namespace kiln
