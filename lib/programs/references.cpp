// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "references.h"

#include "key_rules.h"
#include "library.h"

#include <support/memory.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

constexpr size_t max_references = size_t(1) << 23;
constexpr size_t min_count = 20'000;               // new references between two scans of the stack
constexpr uint64_t min_bytes = uint64_t(64) << 20; // new bytes of the host between two scans
constexpr int max_depth = 8;                       // of nested types

thread_local References *innermost = nullptr;

/// Memory of the thread's references: addresses that are used from the beginning on.
struct Region {
  Value *values = nullptr;
  Region() {
    void *mapped = ::mmap(nullptr, max_references * sizeof(Value), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped != MAP_FAILED) values = static_cast<Value *>(mapped);
  }
  ~Region() {
    if (values) ::munmap(static_cast<void *>(values), max_references * sizeof(Value));
  }
};
Region &region() {
  thread_local Region region;
  return region;
}

} // namespace

// ---- shapes

WordShapes::WordShapes(Interpreter &interpreter, KeyRules &in)
    : types(interpreter.world().types()), keys(in) {
  auto name_of = [&](std::string_view type) {
    TypeRef found = find_base_type(interpreter, type);
    while (const auto *all = found ? found->as<UnionAllType>() : nullptr) found = all->body();
    return found ? &found->as<DataType>()->name() : nullptr;
  };
  dict_ = name_of("Dict");
  id_dict_ = name_of("IdDict");
}

bool WordShapes::is_dict(TypeRef type) const {
  const DataType *data = type->as<DataType>();
  return data && (&data->name() == dict_ || &data->name() == id_dict_);
}

bool WordShapes::is_reference(TypeRef type) const {
  const DataType *data = type->as<DataType>();
  return data == types.builtins().String || is_dict(type) ||
         (data && &data->name() == types.builtins().ArrayName && !types.is_isbits(data->params()[0]));
}

const WordShape *WordShapes::find(TypeRef type) { return make(type, 0); }

const WordShape *WordShapes::make(TypeRef type, int depth) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data || depth > max_depth || !types.is_concrete(type)) return nullptr;
  if (auto known = shapes_.find(type); known != shapes_.end()) return known->second.get();
  auto shape = std::make_unique<WordShape>();
  shape->type = type;
  const auto &b = types.builtins();
  const bool is_array = &data->name() == b.ArrayName;
  auto fits = [&] {
    if (is_reference(type)) { // its elements can pass, too
      shape->kind = WordShape::Kind::Reference;
      shape->words = 1;
      for (size_t i = 0; type != b.String && i < (is_array ? 1 : 2); ++i)
        if (!make(data->params()[i], depth + 1)) return false;
      return &data->name() != dict_ || !keys.calls_methods(data->params()[0]);
    }
    if (is_array || data->name().is_mutable || data->name().is_type || &data->name() == b.VecElementName)
      return false;
    if (types.is_singleton(type)) return true;
    if (data->is_primitive()) {
      const Layout *layout = layout_of(types, type);
      shape->kind = WordShape::Kind::Number;
      shape->words = 1;
      shape->bytes = layout ? uint8_t(std::min<uint64_t>(layout->size, 16)) : 16;
      return shape->bytes <= sizeof(uint64_t);
    }
    for (TypeRef opaque : {b.Symbol, b.Module, b.Expr, b.QuoteNode, b.GlobalRef})
      if (type == opaque) return false;
    shape->kind = WordShape::Kind::Struct;
    for (TypeRef field : types.field_types(data)) {
      shape->fields.push_back(make(field, depth + 1));
      if (!shape->fields.back() || shape->words + shape->fields.back()->words > WordShape::max_words)
        return false;
      shape->words = uint8_t(shape->words + shape->fields.back()->words);
    }
    return true;
  };
  if (!fits()) shape = nullptr;
  return (shapes_[type] = std::move(shape)).get();
}

// ---- references

References::References(WordShapes &of, uint64_t max_bytes, std::span<const std::byte> result)
    : shapes(of), values_(region().values),
      stack_begin_(static_cast<const char *>(__builtin_frame_address(0))), result_(result),
      max_bytes_(max_bytes), next_bytes_(min_bytes), next_count_(min_count) {
  is_usable_ = !innermost && values_;
  if (is_usable_) innermost = this;
}

References::~References() {
  if (!is_usable_) return;
  innermost = nullptr;
  for (size_t i = 0; i < top_; ++i) values_[i].~Value();
}

References *References::current() { return innermost; }

void *References::make(Value value) {
  if (free_.empty() && top_ >= next_count_) collect();
  if (free_.empty() && top_ == max_references) return nullptr;
  if (!free_.empty()) {
    Value *place = &values_[free_.back()];
    free_.pop_back();
    *place = std::move(value);
    return place;
  }
  return new (&values_[top_++]) Value(std::move(value));
}

size_t References::index_of(const void *reference) const {
  const auto at = reinterpret_cast<uintptr_t>(reference), begin = reinterpret_cast<uintptr_t>(values_);
  return at < begin ? max_references : (at - begin) / sizeof(Value);
}

Value References::value(const void *reference) const {
  if (index_of(reference) < top_) return *static_cast<const Value *>(reference);
  return Value::string(shapes.types, static_cast<const char *>(reference));
}

std::string_view References::text(const void *reference) const {
  if (index_of(reference) >= top_) return static_cast<const char *>(reference);
  const std::string *text = static_cast<const Value *>(reference)->as_string();
  return text ? *text : std::string_view();
}

Dict *References::dict(const void *reference) const {
  return static_cast<Dict *>(static_cast<const Value *>(reference)->as_object());
}

HostArray *References::list(const void *reference) const {
  return static_cast<const Value *>(reference)->as_array();
}

bool References::charge(uint64_t bytes) {
  bytes_ += bytes;
  if (bytes_ < next_bytes_) return true;
  collect();
  bytes_ = 0;
  return resident_bytes() <= max_bytes_ || fits_memory(0, max_bytes_);
}

// ---- words

bool References::to_words(const WordShape &shape, const Value &value, uint64_t *&out) {
  switch (shape.kind) {
  case WordShape::Kind::Empty: return true;
  case WordShape::Kind::Number: *out++ = value.low_bits(); return true;
  case WordShape::Kind::Reference: {
    // Parts of one string follow each other.
    const std::string *text = value.as_string();
    void *reference = text && text == last_text_ ? last_reference_ : make(value);
    if (text) last_text_ = text, last_reference_ = reference;
    *out++ = reinterpret_cast<uintptr_t>(reference);
    return reference;
  }
  case WordShape::Kind::Struct: {
    const std::vector<Value> *fields = value.fields();
    if (!fields) return false;
    for (size_t i = 0; i < shape.fields.size(); ++i)
      if (shape.fields[i]->kind == WordShape::Kind::Number)
        *out++ = (*fields)[i].low_bits();
      else if (!to_words(*shape.fields[i], (*fields)[i], out))
        return false;
    return true;
  }
  }
  return false;
}

Value References::from_words(const WordShape &shape, const uint64_t *&words) const {
  switch (shape.kind) {
  case WordShape::Kind::Empty: break;
  case WordShape::Kind::Number: {
    const uint64_t word = *words++;
    const unsigned unused = 64 - 8 * shape.bytes;
    return Value::primitive(shape.type, {word << unused >> unused, 0});
  }
  case WordShape::Kind::Reference: return value(reinterpret_cast<const void *>(uintptr_t(*words++)));
  case WordShape::Kind::Struct: {
    std::vector<Value> fields;
    fields.reserve(shape.fields.size());
    for (const WordShape *field : shape.fields) fields.push_back(from_words(*field, words));
    return Value::structure(shape.type, std::move(fields));
  }
  }
  return shapes.types.singleton_value(shape.type);
}

const uint64_t *References::words_of(const WordShape &shape, const Value &value) {
  if (shape.kind == WordShape::Kind::Number) return value.bits().data();
  uint64_t *out = words_[0].data();
  return to_words(shape, value, out) ? words_[0].data() : nullptr;
}

std::pair<const WordShape *, const WordShape *> References::shapes_of(const void *dict) {
  const TypeRef type = static_cast<const Value *>(dict)->type();
  if (type != last_dict_) {
    last_dict_ = type;
    const std::span<const TypeRef> parts = type->as<DataType>()->params();
    last_shapes_ = {shapes.find(parts[0]), shapes.find(parts[1])};
  }
  return last_shapes_;
}

const WordShape *References::shape_of(const HostArray &list) {
  if (list.element != last_element_) {
    last_element_ = list.element;
    last_element_shape_ = shapes.find(list.element);
  }
  return last_element_shape_;
}

// ---- unreachable references

__attribute__((noinline, no_sanitize("address"))) void References::mark(const uintptr_t *to) {
  auto see = [&](uintptr_t word) __attribute__((no_sanitize("address"))) {
    if (const size_t index = index_of(reinterpret_cast<const void *>(word)); index < top_)
      marked_[index] = true;
  };
  for (auto *at = static_cast<const uintptr_t *>(__builtin_frame_address(0)); at < to; ++at) see(*at);
  for (size_t at = 0; at + sizeof(uintptr_t) <= result_.size(); at += sizeof(uintptr_t)) {
    uintptr_t word = 0;
    std::memcpy(&word, result_.data() + at, sizeof word);
    see(word);
  }
  for (const auto &words : words_)
    for (uint64_t word : words) see(uintptr_t(word));
}

/// Frees the references that no word of the stack, the result or the words in transfer holds.
__attribute__((noinline)) void References::collect() {
  __builtin_unwind_init(); // spills callee-saved registers into this frame
  last_text_ = nullptr;
  marked_.assign(top_, false);
  std::fill_n(marked_.begin(), pinned_, true);
  mark(reinterpret_cast<const uintptr_t *>(stack_begin_));
  free_.clear();
  for (size_t i = top_; i-- > 0;) {
    if (marked_[i]) continue;
    values_[i] = Value();
    free_.push_back(uint32_t(i));
  }
  const size_t live = top_ - free_.size();
  next_count_ = std::min(max_references, std::max(top_, 2 * live + min_count));
}

} // namespace kiln
