/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A language of the embedder's in C: types, functions, methods with bodies built by calls, and held jobs. The
 * C form of kiln/extension/language.h. docs/guide/embed-a-language.md explains the parts, and
 * docs/examples/cprog makes a language of array expressions. Statuses, errors, handles, structures and
 * strings follow kiln/c.h.
 *
 * Threads: any number of threads may define, during compiles and launches, also of functions that they
 * redefine. A kiln_code belongs to one thread at a time.
 */
#ifndef KILN_C_LANGUAGE_H
#define KILN_C_LANGUAGE_H

#include <kiln/c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values: types, functions, modules, constants. A handle belongs to its session and is valid until that
 * is closed: there is nothing to free. Equal values have one handle. */

typedef struct kiln_value kiln_value;

/* "Base", "CUDA", "Main.Inner"; null: Main. KILN_INPUT: there is none. */
KILN_C_API int kiln_module_named(kiln_session *, const char *full_name, kiln_value **out, kiln_error **error);
/* The value of a name in a module (null: Main): "Float32", "sin", "CuDeviceArray". Else KILN_INPUT. */
KILN_C_API int kiln_value_named(kiln_session *, const kiln_value *module, const char *name, kiln_value **out,
                                kiln_error **error);
/* The value of an expression of the session's language, in Main at the newest world. `name` is the text's in
 * diagnostics. KILN_INPUT: as kiln::evaluate. */
KILN_C_API int kiln_evaluate(kiln_session *, const char *name, const char *text, kiln_value **out,
                             kiln_error **error);
/* A value of a type without references, from its bytes in C's layout: numbers, structs, tuples. KILN_USAGE: a
 * type or size that this is not. */
KILN_C_API int kiln_value_of_bytes(kiln_session *, const kiln_value *type, const void *bytes, size_t size,
                                   kiln_value **out, kiln_error **error);
KILN_C_API int kiln_value_int64(kiln_session *, int64_t, kiln_value **out, kiln_error **error);
KILN_C_API int kiln_value_symbol(kiln_session *, const char *text, kiln_value **out, kiln_error **error);
KILN_C_API int kiln_value_string(kiln_session *, const char *text, kiln_value **out, kiln_error **error);
/* As the session's language prints it. */
KILN_C_API int kiln_value_text(const kiln_value *, char **text, kiln_error **error);
/* The type of a value: of a function its own, of a type Type{it}. */
KILN_C_API int kiln_value_type(const kiln_value *, kiln_value **out, kiln_error **error);

/* Array{Float32, 2}: parameters are types, or values of numbers, symbols and tuples of them. */
KILN_C_API int kiln_type_apply(kiln_session *, const kiln_value *type, const kiln_value *const *parameters,
                               size_t count, kiln_value **out, kiln_error **error);
KILN_C_API int kiln_type_tuple(kiln_session *, const kiln_value *const *types, size_t count, kiln_value **out,
                               kiln_error **error);
KILN_C_API int kiln_type_union(kiln_session *, const kiln_value *const *types, size_t count, kiln_value **out,
                               kiln_error **error);
/* A variable for kiln_type.parameters and kiln_method.variables, between two types; null: any. */
KILN_C_API int kiln_type_variable(kiln_session *, const char *name, const kiln_value *lower,
                                  const kiln_value *upper, kiln_value **out, kiln_error **error);

/* ---- sources: texts for the places of errors, stack traces and debug lines */

/* `file` is for kiln_code_at and kiln_method.file. The text lives until it is freed and no definition refers
 * to it, or until the session is closed. */
KILN_C_API int kiln_source(kiln_session *, const char *name, const char *text, size_t size, uint32_t *file,
                           kiln_error **error);
KILN_C_API void kiln_source_free(kiln_session *, uint32_t file);

/* ---- bodies: lowered code, statement after statement. kiln_define_method reports all errors of a body at
 * once, each at the place that kiln_code_at named. */

typedef struct kiln_code kiln_code;
typedef struct kiln_operand { /* an operand of a statement; valid only in the kiln_code that made it */
  uint32_t kind, index;
} kiln_operand;

KILN_C_API int kiln_code_new(kiln_session *, const char *function_name, kiln_code **out, kiln_error **error);
KILN_C_API void kiln_code_free(kiln_code *);
/* Sets the place of the following statements: bytes [begin, end) of a kiln_source. */
KILN_C_API void kiln_code_at(kiln_code *, uint32_t file, uint32_t begin, uint32_t end);
/* Adds the next argument; all arguments come before slots. The function itself is already one, and not an
 * argument. */
KILN_C_API kiln_operand kiln_code_argument(kiln_code *, const char *name);
KILN_C_API kiln_operand kiln_code_self(kiln_code *);
KILN_C_API kiln_operand kiln_code_slot(kiln_code *, const char *name); /* a variable */
KILN_C_API kiln_operand kiln_code_static_parameter(kiln_code *,
                                                   uint32_t variable); /* of kiln_method.variables */
KILN_C_API kiln_operand kiln_code_constant(kiln_code *, const kiln_value *);
KILN_C_API kiln_operand kiln_code_int64(kiln_code *, int64_t);
KILN_C_API kiln_operand kiln_code_float32(kiln_code *, float);
KILN_C_API kiln_operand kiln_code_float64(kiln_code *, double);
/* The value of a name when the code is compiled. A later definition of the name makes the code stale. */
KILN_C_API kiln_operand kiln_code_global(kiln_code *, const kiln_value *module, const char *name);
KILN_C_API kiln_operand kiln_code_call(kiln_code *, kiln_operand callee, const kiln_operand *arguments,
                                       size_t count);
/* An intrinsic by its name (kiln/extension/language/intrinsics.def): "add_int", "mul_float", "getfield". */
KILN_C_API kiln_operand kiln_code_intrinsic(kiln_code *, const char *name, const kiln_operand *arguments,
                                            size_t count);
KILN_C_API kiln_operand kiln_code_new_struct(kiln_code *, kiln_operand type, const kiln_operand *fields,
                                             size_t count);
/* A value of a closure's type (kiln_define_closure) that holds these values, in order. */
KILN_C_API kiln_operand kiln_code_new_closure(kiln_code *, kiln_operand type, const kiln_operand *captured,
                                              size_t count);
/* A variable as an operand of kiln_code_new_closure: shared with the closure if one of them assigns it later,
 * else its value. kiln_code_fresh: a new variable begins in the slot; closures keep the old one. */
KILN_C_API kiln_operand kiln_code_cell(kiln_code *, kiln_operand slot);
KILN_C_API void kiln_code_fresh(kiln_code *, kiln_operand slot);
KILN_C_API kiln_operand kiln_code_copy(kiln_code *, kiln_operand value);      /* a statement of its own */
KILN_C_API kiln_operand kiln_code_is_defined(kiln_code *, kiln_operand slot); /* Bool: it is assigned */
KILN_C_API kiln_operand kiln_code_bounds_check(kiln_code *); /* Bool: the caller wants bounds checks */
enum { KILN_INBOUNDS = 1, KILN_INLINE = 2, KILN_NO_INLINE = 4 };
/* Sets the flags of the following calls: those above, or'd. With KILN_INBOUNDS, an inlined callee that uses
 * kiln_code_bounds_check does not check bounds. */
KILN_C_API void kiln_code_set_flags(kiln_code *, unsigned flags);
KILN_C_API void kiln_code_set_slot(kiln_code *, kiln_operand slot, kiln_operand value);
KILN_C_API uint32_t kiln_code_label(kiln_code *); /* may be jumped to before it is placed */
KILN_C_API void kiln_code_place(kiln_code *, uint32_t label);
KILN_C_API void kiln_code_go_to(kiln_code *, uint32_t label);
KILN_C_API void kiln_code_go_to_if_not(kiln_code *, kiln_operand condition, uint32_t label);
KILN_C_API void kiln_code_return(kiln_code *, kiln_operand);
KILN_C_API void kiln_code_unreachable(kiln_code *); /* after a call that never returns */
/* Typed code: declares the type of a statement's result, or of a slot. The compile verifies declarations:
 * KILN_INPUT, with all differences, each at its statement's place. kiln_method.typed requires all
 * declarations. */
KILN_C_API void kiln_code_declare(kiln_code *, kiln_operand, const kiln_value *type);
/* Which method a call reaches, by its signature: a tuple of the function's type and its argument types. */
KILN_C_API void kiln_code_declare_method(kiln_code *, kiln_operand call, const kiln_value *signature);
KILN_C_API void kiln_code_declare_result(kiln_code *, const kiln_value *type);
/* A fault that the language itself finds, at the place that was set last: the definition fails with it. */
KILN_C_API void kiln_code_fail(kiln_code *, const char *message);

/* ---- definitions. KILN_INPUT: an error of the language's program; KILN_USAGE: an error of the caller. */

KILN_C_API int kiln_define_module(kiln_session *, const kiln_value *parent, const char *name,
                                  kiln_value **out,
                                  kiln_error **error); /* found, if it is there; parent null: a root module */
typedef struct kiln_module {                           /* ModuleOptions of kiln/extension/language/world.h */
  size_t struct_size;
  const kiln_value *parent; /* null: a root module */
  const char *name;
  int without_base; /* 1: names of Base are not seen in it; a module that exists stays as it is */
} kiln_module;
KILN_C_API int kiln_define_module_ex(kiln_session *, const kiln_module *, kiln_value **out,
                                     kiln_error **error);
KILN_C_API int kiln_define_constant(kiln_session *, const kiln_value *module, const char *name,
                                    const kiln_value *value, kiln_error **error);
/* The generic function of that name, made if there is none. */
KILN_C_API int kiln_define_function(kiln_session *, const kiln_value *module, const char *name,
                                    kiln_value **out, kiln_error **error);

typedef struct kiln_type {
  size_t struct_size;
  const kiln_value *module; /* null: Main */
  const char *name;
  const kiln_value *super; /* an abstract type; null: Any */
  int is_abstract;
  int is_mutable;
  const kiln_value *const *parameters; /* type variables, in terms of which super and fields are written */
  size_t parameter_count;
  const char *const *field_names;
  const kiln_value *const *field_types;
  size_t field_count;
} kiln_type;
/* Makes a type, binds its name, and defines its constructor Name(fields...), as define_type of
 * kiln/extension/language/define.h does. One that is defined just so already stays that type. */
KILN_C_API int kiln_define_type(kiln_session *, const kiln_type *, kiln_value **out, kiln_error **error);

/* The type of a slot at which values of different types meet, for the methods that name this rule.
 * kiln/extension/language/join_rule.h has the conditions on a rule. */
typedef struct kiln_join_rule {
  size_t struct_size;
  const char *name, *version; /* in messages, and in cache keys; a session has one rule of a name. A rule that
                               * answers otherwise than before needs another version. */
  /* The type where values of the types `a` and `b` meet; null: their union. Called by any thread that
   * compiles, several at once; it may use kiln_value_* and kiln_type_*, and depends on nothing but the types.
   */
  const kiln_value *(*join)(const kiln_value *a, const kiln_value *b, void *user);
  const kiln_value *convert;   /* a function, called as convert(type, value) */
  void (*release)(void *user); /* when no method needs the rule any longer; may be null */
  void *user;
} kiln_join_rule;
/* KILN_USAGE: there is one of that name. */
KILN_C_API int kiln_define_join_rule(kiln_session *, const kiln_join_rule *, kiln_error **error);

typedef struct kiln_method {
  size_t struct_size;
  const kiln_value *module;   /* whose method it is, for names in messages; null: Main */
  const kiln_value *function; /* a function, or a type whose constructor it is */
  const kiln_value *const *argument_types;
  size_t argument_count;
  int is_vararg; /* 1: the last argument collects any number, each of its type, in a tuple */
  const kiln_value *const *variables; /* type variables in the arguments' types, outermost first */
  size_t variable_count;
  const char *overlay; /* the table it holds in: a target's ("ptx"), "device_override"; null: everywhere */
  int always_inline, never_inline;
  uint32_t file, begin, end; /* of the definition; 0: no place */
  /* One of these three provides the body. `code` is consumed, even if the call fails. `lower` builds it on
   * first use, once. `generate` builds it for each list of concrete argument types (without the function's
   * own). Both run on a compiling thread, one at a time in a session. They may use kiln_value_*, kiln_type_*
   * and kiln_code_*, and must not define, load, compile or launch. A status other than 0 fails the compile.
   */
  kiln_code *code;
  int (*lower)(kiln_code *, void *user);
  int (*generate)(kiln_code *, const kiln_value *const *argument_types, size_t count, void *user);
  void (*release)(void *user); /* when the callback is needed no longer; may be null */
  void *user;
  const char *join_rule; /* a kiln_join_rule's name; null: a slot that types meet at is a union of them */
  int typed;             /* 1: every statement and slot has a declared type */
} kiln_method;
/* Adds a method; replaces the one of equal signature in the same table. */
KILN_C_API int kiln_define_method(kiln_session *, const kiln_method *, kiln_error **error);

/* A function that holds values: makes a type with a field for each name of `captures`, and the method that is
 * called for values of it. The body reads them by the intrinsic getfield of kiln_code_self and the name's
 * symbol. `method` is as kiln_define_method's, but its `function` is null. `name` differs from that of every
 * other closure of the module, and is the same in every process for equal text: caches know the closure by
 * it. *type is for kiln_code_new_closure, or, applied to the captured values' types, for
 * kiln_value_of_bytes. */
KILN_C_API int kiln_define_closure(kiln_session *, const char *name, const char *const *captures,
                                   size_t count, const kiln_method *method, kiln_value **type,
                                   kiln_error **error);

/* ---- jobs that are held: kiln/held_job.h */

typedef struct kiln_job kiln_job;

KILN_C_API int kiln_job_open(kiln_session *, const char *call, const char *options_json, kiln_job **out,
                             kiln_error **error);
/* Without text: a function and its arguments' types. */
KILN_C_API int kiln_job_of(kiln_session *, const kiln_value *function,
                           const kiln_value *const *argument_types, size_t count, const char *options_json,
                           kiln_job **out, kiln_error **error);
KILN_C_API const char *kiln_job_call(const kiln_job *);
KILN_C_API uint64_t kiln_job_world(const kiln_job *);
KILN_C_API int kiln_job_is_current(const kiln_job *); /* 0: stale, or no job */
/* Calls told(user) once when a definition makes the job stale; at once, if it already is. */
KILN_C_API int kiln_job_on_stale(const kiln_job *, void (*told)(void *user), void *user, kiln_error **error);
KILN_C_API int kiln_job_compile(const kiln_job *, const char *product, kiln_artifact **out,
                                kiln_error **error);
KILN_C_API int kiln_job_prepare(const kiln_job *, const kiln_device *, kiln_kernel **out, kiln_error **error);
KILN_C_API int kiln_job_return_type(const kiln_job *, char **text, kiln_error **error);
KILN_C_API int kiln_job_renew(const kiln_job *, kiln_job **out, kiln_error **error);
/* Data that lives as long as the code; then release(data). `key`: an address of the embedder's. */
KILN_C_API int kiln_job_attach(const kiln_job *, const void *key, void *data, void (*release)(void *data),
                               kiln_error **error);
KILN_C_API void *kiln_job_attached(const kiln_job *, const void *key); /* null: nothing */
KILN_C_API void kiln_job_free(kiln_job *);

/* Jobs that are compiled, prepared or launched while a scope is open, each once: kiln/held_job.h. */
typedef struct kiln_scope kiln_scope;

KILN_C_API int kiln_scope_open(kiln_session *, kiln_scope **out, kiln_error **error);
KILN_C_API size_t kiln_scope_job_count(const kiln_scope *);
KILN_C_API int kiln_scope_job(const kiln_scope *, size_t index, kiln_job **out, kiln_error **error);
KILN_C_API void kiln_scope_close(kiln_scope *);

/* ---- functions that are LLVM IR: kiln/ir_function.h */

typedef struct kiln_ir_function { /* IrFunction of kiln/ir_function.h, which says how it takes its arguments
                                   */
  size_t struct_size;
  const char *name;             /* of the function: "scale" */
  const char *const *arguments; /* their types: "CuDeviceVector{Float32,1}" */
  size_t argument_count;
  const char *returns; /* null: "Nothing" */
  const void *ir;      /* LLVM's text or bitcode */
  size_t ir_size;
  const char *symbol; /* of the function in it; null: `name` */
  const char *file;   /* the text's name in messages; null: `name` with ".ll" or ".bc" */
  uint32_t line;      /* first line of the text in `file`; 0: 1 */
} kiln_ir_function;
/* Defines a function whose body is LLVM IR, which is trusted as a program is. */
KILN_C_API int kiln_define_ir(kiln_session *, const kiln_ir_function *function, kiln_error **error);

/* ---- host functions: C functions that compiled code for the CPU calls. kiln/host_function.h lists the types
 * and the rules. */

typedef struct kiln_host_signature { /* HostSignature of kiln/host_function.h */
  size_t struct_size;
  const char *const *arguments; /* their types: "Float64", "Ptr{Float32}" */
  size_t argument_count;
  const char *returns; /* null: "Nothing" */
  /* Not empty: the function returns an int32_t status and writes its result through a last parameter. Status
   * i raises raises[i - 1] at the line of the call: "DomainError", "ErrorException: the table is full". */
  const char *const *raises;
  size_t raise_count;
} kiln_host_signature;
/* Defines a function of module Main that calls `function`, a function of C, cast. The same name and signature
 * again: only the address changes, for calls from then on. signature null: it takes and returns nothing. */
KILN_C_API int kiln_define_host_function(kiln_session *, const char *name,
                                         const kiln_host_signature *signature, void *function,
                                         kiln_error **error);

/* ---- hooks of single jobs that get LLVM IR: kiln/ir_hooks.h */

enum { KILN_FINISH_MODULE, KILN_FINISH_LINKED_MODULE, KILN_OPTIMIZE_MODULE, KILN_FINISH_IR };
enum { KILN_IR_TEXT, KILN_IR_BITCODE }; /* IrForm */

typedef struct kiln_ir_hooks {
  size_t struct_size;
  const char *name, *version; /* both are part of the keys */
  unsigned moments;           /* moments of calls of `rewrite`: 1 << KILN_FINISH_IR | ... */
  /* Gets the module of a job. To replace it, calls give(context, ir, size) once with the new one. Returns 0;
   * anything else ends the job, and the given text is the error's message. A NUL follows text. Several
   * threads call it at once; it must not call the session. */
  int (*rewrite)(int moment, const char *ir, size_t size,
                 void (*give)(void *context, const char *ir, size_t size), void *context, void *user);
  void (*release)(void *user); /* called when no session or job needs the hooks; may be null */
  void *user;
  int form; /* form of the modules of `rewrite`: KILN_IR_TEXT or KILN_IR_BITCODE */
} kiln_ir_hooks;
/* Registers hooks in the session: options_json may name them, {"hooks": "name"}. Replaces hooks of the same
 * name. */
KILN_C_API int kiln_session_add_hooks(kiln_session *, const kiln_ir_hooks *hooks, kiln_error **error);

/* ---- observers of products */

typedef struct kiln_observation kiln_observation;

typedef struct kiln_product { /* valid as long as the callback's call */
  size_t struct_size;
  const char *product;   /* as kiln_compile takes it: "llvm", "asm" ... */
  const char *function;  /* of the job */
  const char *signature; /* "Tuple{typeof(f), Float32}" */
  const void *data;      /* text ends with a NUL that `size` leaves out */
  size_t size;
} kiln_product;
/* Shows `observer` each product of every job from now on, on the thread that compiles; several at once. It
 * must not compile in the same session. `products`: names with a blank between; null: all. When
 * kiln_observation_free has returned, no call of the observer is under way; the handle may outlive the
 * session. */
KILN_C_API int kiln_session_observe(kiln_session *, const char *products,
                                    void (*observer)(const kiln_product *product, void *user), void *user,
                                    kiln_observation **out, kiln_error **error);
KILN_C_API void kiln_observation_free(kiln_observation *);

/* ---- calls on values, where a type's text does not do: closures, tuples, structs, host arrays. Host arrays
 * are passed as kernels take them. KILN_INPUT: no kernel takes the value. */

/* The job of a call of `function` on these values. */
KILN_C_API int kiln_job_of_values(kiln_session *, const kiln_value *function,
                                  const kiln_value *const *arguments, size_t count, const char *options_json,
                                  kiln_job **out, kiln_error **error);
/* Launches and waits. On a GPU every host array in the arguments is copied to the device and back. */
KILN_C_API int kiln_launch_values(kiln_session *, const kiln_device *, const kiln_value *function,
                                  const kiln_shape *, const kiln_value *const *arguments, size_t count,
                                  const char *options_json, kiln_error **error);
/* Calls a plain function on the CPU and returns its value. */
KILN_C_API int kiln_call_values(kiln_session *, const kiln_value *function,
                                const kiln_value *const *arguments, size_t count, const char *options_json,
                                kiln_value **out, kiln_error **error);
/* The bytes by which a kernel knows the value, for kiln_kernel_launch, kiln_function_call and
 * kiln_value_of_bytes: a closure's captured values, an array's header. *size becomes their number, 0 for a
 * value without bytes. `out` may be null. KILN_USAGE: there are more than `capacity`; `out` is unchanged. */
KILN_C_API int kiln_value_bytes(kiln_session *, const kiln_value *, void *out, size_t capacity, size_t *size,
                                kiln_error **error);

/* ---- plain functions on the CPU */

typedef struct kiln_function kiln_function;

/* "f(T1, T2)"; options as kiln_compile's, for the CPU. */
KILN_C_API int kiln_prepare_function(kiln_session *, const char *call, const char *options_json,
                                     kiln_function **out, kiln_error **error);
KILN_C_API int kiln_job_prepare_function(const kiln_job *, kiln_function **out, kiln_error **error);
/* arguments[i] points to the bytes of the i-th parameter that has any; kiln_function_result_size bytes go to
 * `result`. */
KILN_C_API int kiln_function_call(const kiln_function *, const void *const *arguments, size_t count,
                                  void *result, kiln_error **error);
/* As kiln_function_call. `stop` may end it: the kind "Stopped". */
KILN_C_API int kiln_function_call_with(const kiln_function *, const void *const *arguments, size_t count,
                                       void *result, const kiln_stop_source *stop, kiln_error **error);
KILN_C_API uint64_t kiln_function_result_size(const kiln_function *); /* bytes */
KILN_C_API size_t kiln_function_parameter_count(const kiln_function *);
KILN_C_API uint64_t kiln_function_parameter_size(const kiln_function *, size_t parameter); /* bytes */
/* *out becomes the function as C calls it: cast it to its type, `double (*)(double, int64_t)` for one that
 * takes a Float64 and an Int64 and returns a Float64. Valid until kiln_function_free. After an exception it
 * returns zero, and kiln_function_take_error has the error. */
KILN_C_API int kiln_function_address(const kiln_function *, void **out, kiln_error **error);
/* The error of the first call through such an address that failed on this thread, since this function was
 * last called; 0: none. */
KILN_C_API int kiln_function_take_error(kiln_error **error);
KILN_C_API void kiln_function_free(kiln_function *);

#ifdef __cplusplus
}
#endif
#endif
