/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reading types, and names of modules, for languages in C: a part of kiln/extension/language. Statuses,
 * errors, handles, structures and strings follow kiln/c.h; values belong to their session, as in
 * kiln/c_language.h. Any thread. Callbacks of a compile, such as kiln_join_rule.join, may also call the
 * functions of types.
 */
#ifndef KILN_C_TYPES_H
#define KILN_C_TYPES_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types. KILN_USAGE: the value is no type, or the two are of different sessions. */

KILN_C_API int kiln_type_is_subtype(const kiln_value *a, const kiln_value *b, int *out, kiln_error **error);
/* A type that holds all values of both; Union{} if there are none. */
KILN_C_API int kiln_type_intersect(const kiln_value *a, const kiln_value *b, kiln_value **out,
                                   kiln_error **error);

typedef struct kiln_type_info {
  size_t struct_size;
  int is_concrete; /* has instances of exactly this type */
  int is_abstract; /* a type without instances of its own: Number */
  int is_bits;     /* immutable, concrete, without references */
  int is_tuple;
  size_t parameter_count, field_count; /* 0 if it is no data type: Union, Array without parameters */
  uint64_t size;                       /* bytes of a type without references; else 0 */
  uint32_t alignment;
} kiln_type_info;
KILN_C_API int kiln_type_read(const kiln_value *type, kiln_type_info *out, kiln_error **error);
/* A parameter: a type, or a value such as the 2 of Array{Float32, 2}. KILN_USAGE: there is none. */
KILN_C_API int kiln_type_parameter(const kiln_value *type, size_t index, kiln_value **out,
                                   kiln_error **error);
/* A field's type, and its name, which the caller frees (kiln_text_free); "" in a tuple. Each may be null. */
KILN_C_API int kiln_type_field(const kiln_value *type, size_t index, kiln_value **field_type, char **name,
                               kiln_error **error);
/* The supertype of a data type; Any's is Any. */
KILN_C_API int kiln_type_super(const kiln_value *type, kiln_value **out, kiln_error **error);

/* ---- names of modules. A null module is Main. */

/* Makes the names that `used` exports visible in `into`. */
KILN_C_API int kiln_module_use(kiln_session *, const kiln_value *into, const kiln_value *used,
                               kiln_error **error);
/* Binds `as` (null: `name`) in `into` to the value of `name` in `from`. KILN_INPUT: no such value, or `as` is
 * taken. */
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
