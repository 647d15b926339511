// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes whatever are an array or an error that names the file; what was read is written and read back the
// same.
#include <host/host.h>

#include <cstdlib>

using namespace kiln;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  auto array = parse_npy(bytes, "fuzz.npy");
  if (!array.ok()) {
    if (array.error().what().find("fuzz.npy") == std::string::npos) std::abort();
    return 0;
  }
  if (array->bytes.size() > size) std::abort();
  auto again = parse_npy(format_npy(*array), "again.npy");
  if (!again.ok() || again->type != array->type || again->shape != array->shape ||
      again->bytes != array->bytes)
    std::abort();
  NpyArray rows = to_row_major(to_column_major(*array));
  if (!array->fortran_order && rows.bytes != array->bytes) std::abort();
  return 0;
}
