// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of host arrays, for packages that pass pointers to BLAS. A program's pointer is a number. To read
// through it, the host finds the array that the number lies in. A wrong pointer is therefore an error.
#include "library.h"

#include <map>

namespace kiln {

namespace {

/// Arrays whose address the program took, by address.
class AddressTable {
public:
  uint64_t note(const std::shared_ptr<HostArray> &array) {
    const auto address = uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data()));
    if (arrays_.size() > max_kept)
      std::erase_if(arrays_, [](const auto &entry) { return entry.second.expired(); });
    arrays_[address] = array;
    return address;
  }
  /// Null: no array that lives has its bytes there.
  std::shared_ptr<HostArray> find(uint64_t address, uint64_t &offset) const {
    auto at = arrays_.upper_bound(address);
    if (at == arrays_.begin()) return nullptr;
    --at;
    std::shared_ptr<HostArray> array = at->second.lock();
    if (!array || uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())) != at->first) return nullptr;
    offset = address - at->first;
    return offset <= array->bytes.size() ? array : nullptr;
  }

private:
  static constexpr size_t max_kept = 1024; // entries before those of dropped arrays are erased
  std::map<uint64_t, std::weak_ptr<HostArray>> arrays_;
};

} // namespace

void add_addresses(Library &l) {
  TypeContext &types = l.types;
  auto table = std::make_shared<AddressTable>();
  // __address_of(A): the address of an array of bits, or nothing
  l.add("__address_of", 1, [&types, table](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    if (!array || !array->values.empty()) return types.nothing();
    return Value::primitive(types.builtins().UInt64, {table->note(a[0].shared_array()), 0});
  });
  l.add("__same_memory", 2, [&types](Interpreter &, Args a) -> Result<Value> {
    const HostArray *x = a[0].as_array(), *y = a[1].as_array();
    return types.boolean(x && y && (x == y || (!x->bytes.empty() && x->bytes.data() == y->bytes.data())));
  });
  // __array_at(address): (the array, the offset in bytes), or nothing
  l.add("__array_at", 1, [&types, table](Interpreter &, Args a) -> Result<Value> {
    uint64_t offset = 0;
    std::shared_ptr<HostArray> array = table->find(a[0].low_bits(), offset);
    if (!array) return types.nothing();
    const Value found = array_value(types, std::move(array));
    const TypeRef parts[] = {found.type(), types.builtins().Int64};
    return Value::structure(types.tuple(std::span<const TypeRef>(parts)),
                            {found, types.int64(int64_t(offset))});
  });
}

} // namespace kiln
