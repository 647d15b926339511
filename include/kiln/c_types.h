/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions for languages in C that query types and manage names of modules. kiln/extension/language has the
 * C++ form. Statuses, errors, handles, structures and strings are as kiln/c.h says; values belong to their
 * session, as kiln/c_language.h says. Any thread may call the functions. Callbacks of a compile, such as
 * kiln_join_rule.join, may call the functions on types.
 */
#ifndef KILN_C_TYPES_H
#define KILN_C_TYPES_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types. KILN_USAGE: the value is no type, or two types belong to different sessions. */

KILN_C_API int kiln_type_is_subtype(const kiln_value *a, const kiln_value *b, int *out, kiln_error **error);
/* Returns a type that contains all values that have both types; Union{} if there are none. */
KILN_C_API int kiln_type_intersect(const kiln_value *a, const kiln_value *b, kiln_value **out,
                                   kiln_error **error);

typedef struct kiln_type_info {
  size_t struct_size;
  int is_concrete; /* values can have exactly this type */
  int is_abstract; /* no value has exactly this type: Number */
  int is_bits;     /* immutable, concrete, without references */
  int is_tuple;
  /* 0 for types that are no data type: a Union, Array without parameters. */
  size_t parameter_count, field_count;
  uint64_t size; /* size in bytes of a type without references; else 0 */
  uint32_t alignment;
} kiln_type_info;
KILN_C_API int kiln_type_read(const kiln_value *type, kiln_type_info *out, kiln_error **error);
/* Returns a parameter of a type: a type, or a value such as the 2 of Array{Float32, 2}. KILN_USAGE: there is
 * no such parameter. */
KILN_C_API int kiln_type_parameter(const kiln_value *type, size_t index, kiln_value **out,
                                   kiln_error **error);
/* Returns a field's type and name. The caller frees the name (kiln_text_free); it is "" for a tuple.
 * `field_type` or `name` may be null. */
KILN_C_API int kiln_type_field(const kiln_value *type, size_t index, kiln_value **field_type, char **name,
                               kiln_error **error);
/* Returns the supertype of a data type; that of Any is Any. */
KILN_C_API int kiln_type_super(const kiln_value *type, kiln_value **out, kiln_error **error);

/* ---- names of modules. A null module is Main. */

/* Makes the names that `used` exports visible in `into`. */
KILN_C_API int kiln_module_use(kiln_session *, const kiln_value *into, const kiln_value *used,
                               kiln_error **error);
/* Imports `name` of module `from` into module `into`, under the name `as` (null: `name`). KILN_INPUT: `from`
 * has no such name, or `as` is already defined.
 */
KILN_C_API int kiln_module_import(kiln_session *, const kiln_value *into, const kiln_value *from,
                                  const char *name, const char *as, kiln_error **error);
KILN_C_API int kiln_module_export(kiln_session *, const kiln_value *module, const char *name,
                                  kiln_error **error);
/* Assigns a global variable. KILN_INPUT: the name is a constant, a function or a type. */
KILN_C_API int kiln_define_variable(kiln_session *, const kiln_value *module, const char *name,
                                    const kiln_value *value, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
