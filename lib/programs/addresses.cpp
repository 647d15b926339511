// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of host arrays and strings. A program's pointer is a number. To read through it, the host finds
// the array or string that the number lies in. A wrong pointer is therefore an error.
#include "library.h"

#include <map>

namespace kiln {

namespace {

/// Bytes at an address of the program, from the address to the end of their array or string.
struct BytesAt {
  std::shared_ptr<HostArray> array;        ///< null: they are a string's
  std::shared_ptr<const std::string> text; ///< null: they are an array's
  size_t offset = 0;                       ///< of the address in the array or string
  size_t size = 0;                         ///< of the whole array or string
  const std::byte *begin() const {
    return array ? array->bytes.data() : reinterpret_cast<const std::byte *>(text->data());
  }
  explicit operator bool() const { return array || text; }
  /// True if bytes [first, first + count) from the address on exist. `first` may be negative.
  bool has(int64_t first, size_t count) const {
    const int64_t from = int64_t(offset) + first;
    return from >= 0 && uint64_t(from) <= size && count <= size - uint64_t(from);
  }
};

uint64_t address_of(const void *data) { return uint64_t(reinterpret_cast<uintptr_t>(data)); }

/// Arrays and strings whose address the program took, by address. The table does not keep them alive.
class AddressTable {
public:
  uint64_t note(const std::shared_ptr<HostArray> &array) {
    const uint64_t address = address_of(array->bytes.data());
    entry(address) = {array, {}};
    return address;
  }
  uint64_t note(const std::shared_ptr<const std::string> &text) {
    const uint64_t address = address_of(text->data());
    entry(address) = {{}, text};
    return address;
  }
  /// Finds the array or string with bytes [first, first + count) from the address on. Empty: none that lives.
  BytesAt find(uint64_t address, int64_t first = 0, size_t count = 0) const {
    // Parts of an array have entries of their own, so the next entry below may lack the bytes.
    for (auto at = entries_.upper_bound(address); at != entries_.begin();) {
      --at;
      BytesAt found{at->second.array.lock(), at->second.text.lock(), address - at->first};
      if (!found || address_of(found.begin()) != at->first) continue;
      found.size = found.array ? found.array->bytes.size() : found.text->size() + 1; // with the zero
      if (found.has(first, count)) return found;
    }
    return {};
  }

private:
  struct Entry {
    std::weak_ptr<HostArray> array;
    std::weak_ptr<const std::string> text;
  };
  Entry &entry(uint64_t address) {
    if (entries_.size() > max_kept)
      std::erase_if(entries_, [](const auto &each) {
        return each.second.array.expired() && each.second.text.expired();
      });
    return entries_[address];
  }
  static constexpr size_t max_kept = 1024; // entries before those of dropped arrays are erased
  std::map<uint64_t, Entry> entries_;
};

/// Returns T of a Ptr{T} or LLVMPtr{T}, if it is a type of bits; else null.
TypeRef element_of_pointer(TypeContext &types, const Value &pointer) {
  const DataType *type = pointer.is_primitive() ? pointer.type()->as<DataType>() : nullptr;
  if (!type || type->params().empty() || !types.is_isbits(type->params()[0])) return nullptr;
  return type->params()[0];
}

/// Makes an array of `element` that shares bytes of an array, or has a copy of those of a string.
Value array_over(TypeContext &types, const BytesAt &bytes, size_t first, TypeRef element,
                 std::vector<int64_t> dims) {
  auto made = std::make_shared<HostArray>();
  made->element = element;
  made->dims = std::move(dims);
  const size_t count = size_t(made->length()) * layout_of(types, element)->size;
  if (bytes.array)
    made->bytes = bytes.array->bytes.share(first, count);
  else
    made->bytes = std::vector<std::byte>(bytes.begin() + first, bytes.begin() + first + count);
  return array_value(types, std::move(made));
}

} // namespace

void add_addresses(Library &l) {
  TypeContext &types = l.types;
  auto table = std::make_shared<AddressTable>();
  // __address_of(x): the address of a string or an array of bits, or nothing
  l.add("__address_of", 1, [&types, table](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    if ((!array || !array->values.empty()) && !a[0].as_string()) return types.nothing();
    const uint64_t address = array ? table->note(a[0].shared_array()) : table->note(a[0].shared_string());
    return Value::primitive(types.builtins().UInt64, {address, 0});
  });
  l.add("__same_memory", 2, [&types](Interpreter &, Args a) -> Result<Value> {
    const HostArray *x = a[0].as_array(), *y = a[1].as_array();
    return types.boolean(x && y && (x == y || share_bytes(*x, *y)));
  });
  // __load_at(p, i) and __store_at(p, v, i): a Julia method converts v, and reports the errors
  l.add("__load_at", 2, [&types, table](Interpreter &, Args a) -> Result<Value> {
    const TypeRef element = element_of_pointer(types, a[0]);
    if (!element) return Value();
    const size_t size = layout_of(types, element)->size;
    const int64_t first = (int64_t(a[1].low_bits()) - 1) * int64_t(size);
    const BytesAt bytes = table->find(a[0].low_bits(), first, size);
    if (!bytes) return Value();
    return from_bytes(types, element, bytes.begin() + int64_t(bytes.offset) + first);
  });
  l.add("__store_at", 3, [&types, table](Interpreter &, Args a) -> Result<Value> {
    const TypeRef element = element_of_pointer(types, a[0]);
    if (!element || types.type_of(a[1]) != element) return Value();
    const size_t size = layout_of(types, element)->size;
    const int64_t first = (int64_t(a[2].low_bits()) - 1) * int64_t(size);
    const BytesAt bytes = table->find(a[0].low_bits(), first, size);
    if (!bytes.array) return Value();
    KILN_TRY(const std::vector<std::byte> value, to_bytes(types, a[1]));
    std::ranges::copy(value, bytes.array->bytes.data() + int64_t(bytes.offset) + first);
    return a[0];
  });
  // __array_at(T, address, to_write): (a vector of T, the number of elements before the address), or nothing
  l.add("__array_at", 3, [&types, table](Interpreter &, Args a) -> Result<Value> {
    const TypeRef element = a[0].as_type();
    const Layout *layout = element && types.is_isbits(element) ? layout_of(types, element) : nullptr;
    const BytesAt bytes = layout && layout->size ? table->find(a[1].low_bits()) : BytesAt();
    if (!bytes || (bytes.text && (a[2].low_bits() & 1))) return types.nothing();
    const size_t first = bytes.offset % layout->size;
    const auto count = int64_t((bytes.size - std::min(bytes.size, first)) / layout->size);
    const Value found = array_over(types, bytes, first, element, {count});
    const TypeRef parts[] = {found.type(), types.builtins().Int64};
    return Value::structure(types.tuple(std::span<const TypeRef>(parts)),
                            {found, types.int64(int64_t(bytes.offset / layout->size))});
  });
  // __wrapped_at(T, address, dims): an array of T over the bytes at the address, or nothing
  l.add("__wrapped_at", 3, [&types, table](Interpreter &, Args a) -> Result<Value> {
    const TypeRef element = a[0].as_type();
    const Layout *layout = element && types.is_isbits(element) ? layout_of(types, element) : nullptr;
    auto dims = read_dims(types, a.subspan(2));
    if (!layout || !dims) return types.nothing();
    uint64_t count = layout->size;
    for (const int64_t d : *dims)
      if (d < 0 || __builtin_mul_overflow(count, uint64_t(d), &count)) return types.nothing();
    const BytesAt bytes = table->find(a[1].low_bits(), 0, count);
    if (!bytes) return types.nothing();
    return array_over(types, bytes, bytes.offset, element, std::move(*dims));
  });
  // __text_at(address, bytes): a copy of the text, up to a zero byte if `bytes` is negative; or nothing
  l.add("__text_at", 2, [&l, table](Interpreter &, Args a) -> Result<Value> {
    const BytesAt bytes = table->find(a[0].low_bits());
    if (!bytes) return l.nothing();
    const auto *text = reinterpret_cast<const char *>(bytes.begin()) + bytes.offset;
    const size_t rest = bytes.size - bytes.offset;
    const auto wanted = int64_t(a[1].low_bits());
    const std::string_view all(text, rest);
    const size_t count = wanted >= 0 ? size_t(wanted) : all.find('\0');
    return count <= rest ? l.text(std::string(all.substr(0, count))) : l.nothing();
  });
}

} // namespace kiln
