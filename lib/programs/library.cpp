// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library.h"

namespace kiln {

Result<Value> Library::bytes_vector(std::string_view bytes) const {
  KILN_TRY(Value made, make_array(interpreter, types.builtins().UInt8, {int64_t(bytes.size())}));
  if (!bytes.empty()) std::memcpy(made.as_array()->bytes.data(), bytes.data(), bytes.size());
  return made;
}

Result<void> add_host_functions(Program::State &program) {
  auto kept = std::make_shared<Library>(program);
  program.library = kept;
  Library &library = *kept;
  add_texts(library);
  add_characters(library);
  add_strings(library);
  add_parsing(library);
  add_splitting(library);
  add_streams(library);
  add_files(library);
  add_dicts(library);
  add_addresses(library);
  add_bits(library);
  add_object_parts(library);
  add_arrays(library);
  add_sorting(library);
  add_broadcasting(library);
  add_system(library);
  add_random(library);
  add_regex(library);
  add_reflection(library);
  add_big_integers(library);
  add_big_floats(library);
  return std::move(library.done);
}

} // namespace kiln
