// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Postpones definitions of the library: they are evaluated when methods of their function or type are looked
// up.
#include "define.h"

namespace kiln::julia {

void postpone(CompilerWorld &world, TypeRef callee, std::function<Result<void>()> define) {
  while (const auto *all = callee->as<UnionAllType>()) callee = all->body();
  world.postpone(callee->as<DataType>(), std::move(define));
}

Result<void> all_resolved(LoadReport report) {
  if (report.unresolved.empty()) return {};
  return as_internal(std::move(report.unresolved));
}

void Definer::postpone(TypeRef callee, std::function<Result<void>(Definer &)> define) {
  julia::postpone(
      shared_->world, callee,
      [shared = shared_, unit = unit_, overlay = overlay_, define = std::move(define)]() -> Result<void> {
        auto own = std::make_shared<Unit>();
        own->file = unit->file;
        own->outer = unit;
        LoadReport report;
        Definer definer(shared, own, report, overlay);
        KILN_CHECK(define(definer));
        return all_resolved(std::move(report));
      });
}

} // namespace kiln::julia
