// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world.h"

#include <support/exceptions.h>
#include <support/releasable_lock.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace kiln {

/// Protects data derived from a method's code: SSA form and digest. Two threads may compute the same data.
/// The World's evaluation lock is not used, since threads would wait for lowering and evaluation.
static std::mutex &derived_lock(const Method *method) {
  static std::array<std::mutex, 64> locks;
  return locks[std::hash<const Method *>()(method) / sizeof(Method) % locks.size()];
}

Method::Method() = default;
Method::~Method() = default;

Result<CodeInfo> Method::make_code() const {
  if (!lower) return usage_error(fmt::format("method {} has no code", name.text()));
  KILN_TRY(CodeInfo code,
           call_embedder(
               [this] { return fmt::format("the function that makes the code of {}", name.text()); }, lower));
  KILN_CHECK(verify(code, sources_));
  if (code.nargs != nargs || code.is_vararg != is_vararg || code.static_params.size() != static_params.size())
    return Error(
        Diagnostic{.code = ErrorCode::InvalidCode,
                   .message = fmt::format("lowered code of {} has other arguments or type variables than its "
                                          "signature, {}",
                                          name.text(), spell(signature)),
                   .at = sources_->locate(at)});
  return code;
}

Result<void> Method::make(TypeContext &) const {
  if (!made_.load(std::memory_order_acquire)) {
    assert(evaluation_ && "a method is given to CompilerWorld::define before it is asked for its code");
    std::scoped_lock hold(*evaluation_);
    if (!made_.load(std::memory_order_relaxed)) {
      if (making_) // recursion on this thread: lowering calls the method itself
        return input_error(
            fmt::format("the definition of {} needs to call {} itself before its code is there", name.text(),
                        name.text()));
      making_ = true;
      code_.emplace(make_code());
      if (code_->ok()) { // the code stays as long as the method: free unused capacity
        CodeInfo &code = code_->value();
        code.stmts.shrink_to_fit();
        code.globals.shrink_to_fit();
        code.constants.shrink_to_fit();
        code.slot_names.shrink_to_fit();
        for (const Stmt &stmt : code.stmts) keep_file(stmt.at);
        unpacked_.store(true, std::memory_order_release);
      }
      making_ = false;
      lower = nullptr;
      made_.store(true, std::memory_order_release);
    }
  }
  if (!code_->ok()) return code_->error();
  return {};
}

Result<const CodeInfo *> Method::code(TypeContext &types) const {
  KILN_CHECK(make(types));
  if (!unpacked_.load(std::memory_order_acquire)) {
    std::scoped_lock hold(*evaluation_);
    if (!unpacked_.load(std::memory_order_relaxed)) {
      code_->value().stmts = unpack(packed_);
      packed_ = std::string();
      unpacked_.store(true, std::memory_order_release);
    }
  }
  return &code_->value();
}

void Method::release_code() const {
  ssa_made_.store(false, std::memory_order_relaxed);
  ssa_.reset();
  // return if the code was never made, is an error, or is packed already
  if (!unpacked_.exchange(false, std::memory_order_relaxed)) return;
  CodeInfo &code = code_->value();
  packed_ = pack(code.stmts);
  code.stmts = std::vector<Stmt>(); // assigning `{}` would keep the memory
}

Result<const SsaCode *> Method::ssa(TypeContext &types) const {
  KILN_TRY(const CodeInfo *lowered, code(types));
  if (!ssa_made_.load(std::memory_order_acquire)) {
    auto made = std::make_unique<SsaCode>(to_ssa(types, *lowered, throw_undef_var_));
    made->stmts.shrink_to_fit();
    made->blocks.shrink_to_fit();
    std::scoped_lock hold(derived_lock(this));
    if (!ssa_) ssa_ = std::move(made);
    ssa_made_.store(true, std::memory_order_release);
  }
  return ssa_.get();
}

void Method::keep_file(Span at) const {
  if (!at ||
      std::any_of(files_.begin(), files_.end(), [&](const auto &file) { return file->id() == at.file; }))
    return;
  if (auto file = sources_->file(at.file)) files_.push_back(std::move(file));
}

Result<Fingerprint> Method::digest(TypeContext &types) const {
  KILN_CHECK(make(types));
  {
    std::scoped_lock hold(derived_lock(this));
    if (digest_ != Fingerprint()) return digest_;
  }
  KILN_TRY(const CodeInfo *lowered, code(types));
  Fingerprinter f;
  types.digest(f, signature);
  f.add(lowered->digest(types));
  f.add(hints.inline_).add(hints.noinline).add(hints.propagate_inbounds).add(hints.aggressive_constprop);
  const Fingerprint made = f.finish();
  std::scoped_lock hold(derived_lock(this));
  return digest_ = made;
}

} // namespace kiln
