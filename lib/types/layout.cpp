// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.h"

#include <algorithm>
#include <bit>

namespace kiln {

namespace {

constexpr uint32_t max_align = 16;
// Limits the number of paths in a message, since nested types may be infinite.
constexpr size_t max_layout_depth = 64;

const Layout *make_layout(TypeContext &types, const DataType *type) {
  auto layout = std::make_unique<Layout>();
  if (type->is_primitive()) {
    layout->size = (type->name().primitive_bits + 7) / 8;
    layout->align = std::min<uint32_t>(uint32_t(std::bit_ceil(layout->size)), max_align);
    layout->size = (layout->size + layout->align - 1) / layout->align * layout->align;
    return layout.release();
  }
  for (TypeRef field : types.field_types(type)) {
    const Layout *part = layout_of(types, field);
    if (!part) return nullptr;
    uint64_t offset = (layout->size + part->align - 1) / part->align * part->align;
    layout->offsets.push_back(offset);
    layout->size = offset + part->size;
    layout->align = std::max(layout->align, part->align);
  }
  if (vector_element(types, type))
    layout->align =
        std::max(layout->align, uint32_t(std::min<uint64_t>(std::bit_ceil(layout->size), max_align)));
  layout->size = (layout->size + layout->align - 1) / layout->align * layout->align;
  return layout.release();
}

void find_non_isbits(TypeContext &types, TypeRef type, std::vector<std::string> &path,
                     std::vector<TypeRef> &open, std::vector<FieldPath> &found) {
  if (types.is_isbits(type)) return;
  const DataType *data = type->as<DataType>();
  bool can_enter = data && types.is_concrete(type) && !data->name().is_mutable && !data->is_primitive() &&
                   types.field_count(data) > 0 && open.size() < max_layout_depth &&
                   std::find(open.begin(), open.end(), type) == open.end();
  size_t before = found.size();
  if (can_enter) {
    open.push_back(type);
    std::span<const TypeRef> fields = types.field_types(data);
    std::span<const Symbol> names = types.field_names(data);
    for (size_t i = 0; i < fields.size(); ++i) {
      path.push_back(i < names.size() ? names[i].str() : std::to_string(i + 1));
      find_non_isbits(types, fields[i], path, open, found);
      path.pop_back();
    }
    open.pop_back();
  }
  if (found.size() == before) found.push_back({path, type}); // no field is the reason: report the type itself
}

} // namespace

TypeRef vector_element(TypeContext &types, const DataType *type) {
  if (!type || !type->is_tuple() || type->params().empty()) return nullptr;
  const auto *first = type->params()[0]->as<DataType>();
  if (!first || &first->name() != types.builtins().VecElementName || first->params().empty()) return nullptr;
  const auto *element = first->params()[0]->as<DataType>();
  bool is_vector = element && element->is_primitive() &&
                   std::ranges::all_of(type->params(), [&](TypeRef part) { return part == first; });
  return is_vector ? element : nullptr;
}

const Layout *layout_of(TypeContext &types, TypeRef type) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data || !types.is_isbits(type)) return nullptr;
  return types.cached_layout(data, make_layout);
}

std::vector<FieldPath> non_isbits_fields(TypeContext &types, TypeRef type) {
  std::vector<FieldPath> found;
  if (!type) return found;
  std::vector<std::string> path;
  std::vector<TypeRef> open;
  find_non_isbits(types, type, path, open, found);
  return found;
}

} // namespace kiln
