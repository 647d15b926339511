/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions for a language of the embedder in C: they define types and functions, build bodies of methods,
 * and hold jobs. kiln/extension/language.h is the C++ form. docs/guide/embed-a-language.md explains the
 * steps; docs/examples/cprog makes a language of array expressions. Statuses, errors, handles, structures and
 * strings are as kiln/c.h says.
 *
 * Threads: any number of threads may make definitions at once, also while other threads compile or launch the
 * functions being redefined. Only one thread at a time may use a kiln_code.
 */
#ifndef KILN_C_LANGUAGE_H
#define KILN_C_LANGUAGE_H

#include <kiln/c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values: types, functions, modules, constants. A handle is valid until its session is closed and is
 * never freed. Equal values have the same handle. */

typedef struct kiln_value kiln_value;

/* Finds a module by its full name: "Base", "CUDA", "Main.Inner"; null: Main. KILN_INPUT: there is no such
 * module. */
KILN_C_API int kiln_module_named(kiln_session *, const char *full_name, kiln_value **out, kiln_error **error);
/* Looks up a name such as "Float32", "sin" or "CuDeviceArray" as code in `module` (null: Main) sees it.
 * KILN_INPUT: the name is not defined. */
KILN_C_API int kiln_value_named(kiln_session *, const kiln_value *module, const char *name, kiln_value **out,
                                kiln_error **error);
/* Evaluates an expression of the session's language in module Main, with the newest definitions. `name` is
 * the name of the text in diagnostics. KILN_INPUT: the errors of kiln::evaluate. */
KILN_C_API int kiln_evaluate(kiln_session *, const char *name, const char *text, kiln_value **out,
                             kiln_error **error);
/* Makes a value from its bytes in C's layout. `type` holds no references: a number, struct or tuple.
 * KILN_USAGE: another type, or `size` is not the type's. */
KILN_C_API int kiln_value_of_bytes(kiln_session *, const kiln_value *type, const void *bytes, size_t size,
                                   kiln_value **out, kiln_error **error);
KILN_C_API int kiln_value_int64(kiln_session *, int64_t, kiln_value **out, kiln_error **error);
KILN_C_API int kiln_value_symbol(kiln_session *, const char *text, kiln_value **out, kiln_error **error);
KILN_C_API int kiln_value_string(kiln_session *, const char *text, kiln_value **out, kiln_error **error);
/* *text becomes the value as the session's language prints it. */
KILN_C_API int kiln_value_text(const kiln_value *, char **text, kiln_error **error);
/* Returns the type of a value: typeof(f) for a function f, Type{T} for a type T. */
KILN_C_API int kiln_value_type(const kiln_value *, kiln_value **out, kiln_error **error);

/* Applies a type to parameters, as in Array{Float32, 2}. Parameters are types, numbers, symbols, or tuples of
 * these. */
KILN_C_API int kiln_type_apply(kiln_session *, const kiln_value *type, const kiln_value *const *parameters,
                               size_t count, kiln_value **out, kiln_error **error);
KILN_C_API int kiln_type_tuple(kiln_session *, const kiln_value *const *types, size_t count, kiln_value **out,
                               kiln_error **error);
KILN_C_API int kiln_type_union(kiln_session *, const kiln_value *const *types, size_t count, kiln_value **out,
                               kiln_error **error);
/* Makes a type variable for kiln_type.parameters and kiln_method.variables, with a lower and an upper bound;
 * null: no bound. */
KILN_C_API int kiln_type_variable(kiln_session *, const char *name, const kiln_value *lower,
                                  const kiln_value *upper, kiln_value **out, kiln_error **error);

/* ---- sources: texts to which errors, stack traces and debug lines refer */

/* Registers a source text. *file becomes its number, for kiln_code_at and kiln_method.file. Kiln keeps the
 * text until kiln_source_free was called and no definition refers to it, or the session is closed. */
KILN_C_API int kiln_source(kiln_session *, const char *name, const char *text, size_t size, uint32_t *file,
                           kiln_error **error);
KILN_C_API void kiln_source_free(kiln_session *, uint32_t file);

/* ---- bodies: a kiln_code is the untyped code of a method, built statement by statement. kiln_define_method
 * reports all errors in it at once, each at the place that kiln_code_at set. */

typedef struct kiln_code kiln_code;
typedef struct kiln_operand { /* a value in a kiln_code; valid only in the kiln_code that returned it */
  uint32_t kind, index;
} kiln_operand;

KILN_C_API int kiln_code_new(kiln_session *, const char *function_name, kiln_code **out, kiln_error **error);
KILN_C_API void kiln_code_free(kiln_code *);
/* Sets the source place of the following statements: bytes [begin, end) of a kiln_source. */
KILN_C_API void kiln_code_at(kiln_code *, uint32_t file, uint32_t begin, uint32_t end);
/* Adds the method's next argument. Add all arguments before any slot. The function itself is not an argument:
 * see kiln_code_self. */
KILN_C_API kiln_operand kiln_code_argument(kiln_code *, const char *name);
KILN_C_API kiln_operand kiln_code_self(kiln_code *);
KILN_C_API kiln_operand kiln_code_slot(kiln_code *, const char *name); /* a variable */
KILN_C_API kiln_operand kiln_code_static_parameter(kiln_code *,
                                                   uint32_t variable); /* index into kiln_method.variables */
KILN_C_API kiln_operand kiln_code_constant(kiln_code *, const kiln_value *);
KILN_C_API kiln_operand kiln_code_int64(kiln_code *, int64_t);
KILN_C_API kiln_operand kiln_code_float32(kiln_code *, float);
KILN_C_API kiln_operand kiln_code_float64(kiln_code *, double);
/* Refers to a global name, which is looked up when the code is compiled. A later definition of the name makes
 * the compiled code stale. */
KILN_C_API kiln_operand kiln_code_global(kiln_code *, const kiln_value *module, const char *name);
KILN_C_API kiln_operand kiln_code_call(kiln_code *, kiln_operand callee, const kiln_operand *arguments,
                                       size_t count);
/* Adds a call of an intrinsic by name (kiln/extension/language/intrinsics.def): "add_int", "getfield". */
KILN_C_API kiln_operand kiln_code_intrinsic(kiln_code *, const char *name, const kiln_operand *arguments,
                                            size_t count);
KILN_C_API kiln_operand kiln_code_new_struct(kiln_code *, kiln_operand type, const kiln_operand *fields,
                                             size_t count);
/* Makes a closure: a value of a type that kiln_define_closure made, with the captured values in order. */
KILN_C_API kiln_operand kiln_code_new_closure(kiln_code *, kiln_operand type, const kiln_operand *captured,
                                              size_t count);
/* kiln_code_cell: a variable as an operand of kiln_code_new_closure. The closure shares the variable if code
 * assigns it later, else it copies the value. kiln_code_fresh: begins a new variable in the slot; earlier
 * closures keep the old one. */
KILN_C_API kiln_operand kiln_code_cell(kiln_code *, kiln_operand slot);
KILN_C_API void kiln_code_fresh(kiln_code *, kiln_operand slot);
KILN_C_API kiln_operand kiln_code_copy(kiln_code *, kiln_operand value);      /* a statement that copies */
KILN_C_API kiln_operand kiln_code_is_defined(kiln_code *, kiln_operand slot); /* Bool: it is assigned */
KILN_C_API kiln_operand kiln_code_bounds_check(kiln_code *); /* a Bool: the caller wants bounds checks */
enum { KILN_INBOUNDS = 1, KILN_INLINE = 2, KILN_NO_INLINE = 4 };
/* Sets the flags of the following calls: KILN_INBOUNDS, KILN_INLINE and KILN_NO_INLINE, or'd. With
 * KILN_INBOUNDS, kiln_code_bounds_check is false in an inlined callee, which then skips its bounds checks. */
KILN_C_API void kiln_code_set_flags(kiln_code *, unsigned flags);
KILN_C_API void kiln_code_set_slot(kiln_code *, kiln_operand slot, kiln_operand value);
KILN_C_API uint32_t kiln_code_label(kiln_code *); /* makes a label; jumps may precede kiln_code_place */
KILN_C_API void kiln_code_place(kiln_code *, uint32_t label);
KILN_C_API void kiln_code_go_to(kiln_code *, uint32_t label);
KILN_C_API void kiln_code_go_to_if_not(kiln_code *, kiln_operand condition, uint32_t label);
KILN_C_API void kiln_code_return(kiln_code *, kiln_operand);
KILN_C_API void kiln_code_unreachable(kiln_code *); /* after a call that never returns */
/* For languages with their own type checker: declares the type of a statement's result or of a slot.
 * Compiling verifies the declarations: KILN_INPUT, with all differences, each at its statement's place. With
 * kiln_method.typed, every statement and slot must have a declared type. */
KILN_C_API void kiln_code_declare(kiln_code *, kiln_operand, const kiln_value *type);
/* Declares which method a call reaches. `signature` is a tuple type of the function's type and the method's
 * argument types. */
KILN_C_API void kiln_code_declare_method(kiln_code *, kiln_operand call, const kiln_value *signature);
KILN_C_API void kiln_code_declare_result(kiln_code *, const kiln_value *type);
/* Records an error that the language found, at the place of the last kiln_code_at. The definition then fails
 * with this error. */
KILN_C_API void kiln_code_fail(kiln_code *, const char *message);

/* ---- definitions. KILN_INPUT: an error in the language's program; KILN_USAGE: an error of the caller. */

/* Returns the module of that name; makes it if it does not exist. `parent` null: a root module. */
KILN_C_API int kiln_define_module(kiln_session *, const kiln_value *parent, const char *name,
                                  kiln_value **out, kiln_error **error);
typedef struct kiln_module { /* ModuleOptions of kiln/extension/language/world.h */
  size_t struct_size;
  const kiln_value *parent; /* null: a root module */
  const char *name;
  int without_base; /* 1: a new module does not see names of Base; an existing one is not changed */
} kiln_module;
KILN_C_API int kiln_define_module_ex(kiln_session *, const kiln_module *, kiln_value **out,
                                     kiln_error **error);
KILN_C_API int kiln_define_constant(kiln_session *, const kiln_value *module, const char *name,
                                    const kiln_value *value, kiln_error **error);
/* Returns the generic function of that name in the module; makes it if it does not exist. */
KILN_C_API int kiln_define_function(kiln_session *, const kiln_value *module, const char *name,
                                    kiln_value **out, kiln_error **error);

typedef struct kiln_type {
  size_t struct_size;
  const kiln_value *module; /* null: Main */
  const char *name;
  const kiln_value *super; /* an abstract type; null: Any */
  int is_abstract;
  int is_mutable;
  const kiln_value *const *parameters; /* type variables that `super` and `field_types` may use */
  size_t parameter_count;
  const char *const *field_names;
  const kiln_value *const *field_types;
  size_t field_count;
} kiln_type;
/* Makes a type, binds its name, and defines its constructor Name(fields...), as define_type of
 * kiln/extension/language/define.h does. If an identical definition exists, returns the existing type. */
KILN_C_API int kiln_define_type(kiln_session *, const kiln_type *, kiln_value **out, kiln_error **error);

/* A rule that gives a slot one type where values of different types reach it. It applies to methods that name
 * it (kiln_method.join_rule). kiln/extension/language/join_rule.h states the conditions for a rule. */
typedef struct kiln_join_rule {
  size_t struct_size;
  /* Name and version, in messages and cache keys. A name is unique in a session. Change the version when the
   * rule's results change. */
  const char *name, *version;
  /* Returns the type of a slot where values of types `a` and `b` meet; null: their union. Compiling threads
   * call it, several at once. It may use kiln_value_* and kiln_type_*, and must depend on the types only. */
  const kiln_value *(*join)(const kiln_value *a, const kiln_value *b, void *user);
  const kiln_value *convert;   /* a function that converts a value to the slot's type: convert(type, value) */
  void (*release)(void *user); /* called when no method needs the rule any longer; may be null */
  void *user;
} kiln_join_rule;
/* Adds a join rule to the session. KILN_USAGE: the session has a rule of that name. */
KILN_C_API int kiln_define_join_rule(kiln_session *, const kiln_join_rule *, kiln_error **error);

typedef struct kiln_method {
  size_t struct_size;
  const kiln_value *module;   /* module of the definition, for names in messages; null: Main */
  const kiln_value *function; /* the function that gets the method; a type gets a constructor */
  const kiln_value *const *argument_types;
  size_t argument_count;
  int is_vararg; /* 1: the last argument is a tuple of all remaining arguments, each of its type */
  const kiln_value *const *variables; /* type variables in the arguments' types, outermost first */
  size_t variable_count;
  const char *overlay; /* method table: a target's ("ptx") or "device_override"; null: the common one */
  int always_inline, never_inline;
  uint32_t file, begin, end; /* source place of the definition; 0: none */
  /* The body: set one of `code`, `lower` and `generate`. kiln_define_method takes over `code`, also when it
   * fails. Kiln calls `lower` once, when the body is first needed. It calls `generate` for each list of
   * concrete argument types, the function's own type left out. Both run on a compiling thread, one call at a
   * time in a session. They may use kiln_value_*, kiln_type_* and kiln_code_*; they must not define, load,
   * compile or launch. A result other than 0 fails the compile. */
  kiln_code *code;
  int (*lower)(kiln_code *, void *user);
  int (*generate)(kiln_code *, const kiln_value *const *argument_types, size_t count, void *user);
  void (*release)(void *user); /* called when the callback is no longer needed; may be null */
  void *user;
  const char *join_rule; /* name of the kiln_join_rule for slots; null: slots become unions of types */
  int typed;             /* 1: every statement and slot has a declared type (kiln_code_declare) */
} kiln_method;
/* Adds a method. It replaces a method of equal signature in the same method table. */
KILN_C_API int kiln_define_method(kiln_session *, const kiln_method *, kiln_error **error);

/* Defines a closure type with a field for each name of `captures`, and the method that a call of such a
 * closure runs. The body reads a captured value with the intrinsic getfield, from kiln_code_self and the
 * name's symbol. `method->function` must be null. `name` must be unique among the module's closures, and the
 * same in every process for equal text, since cache keys contain it. Pass *type to kiln_code_new_closure;
 * applied to the captured values' types, also to kiln_value_of_bytes. */
KILN_C_API int kiln_define_closure(kiln_session *, const char *name, const char *const *captures,
                                   size_t count, const kiln_method *method, kiln_value **type,
                                   kiln_error **error);

/* ---- held jobs: Job of kiln/held_job.h */

typedef struct kiln_job kiln_job;

KILN_C_API int kiln_job_open(kiln_session *, const char *call, const char *options_json, kiln_job **out,
                             kiln_error **error);
/* Makes a held job from a function and its argument types, without text. */
KILN_C_API int kiln_job_of(kiln_session *, const kiln_value *function,
                           const kiln_value *const *argument_types, size_t count, const char *options_json,
                           kiln_job **out, kiln_error **error);
KILN_C_API const char *kiln_job_call(const kiln_job *);
KILN_C_API uint64_t kiln_job_world(const kiln_job *);
KILN_C_API int kiln_job_is_current(const kiln_job *); /* 0: made stale by a definition, or a bad handle */
/* Calls told(user) once when a definition makes the job stale; at once if the job is stale already. */
KILN_C_API int kiln_job_on_stale(const kiln_job *, void (*told)(void *user), void *user, kiln_error **error);
KILN_C_API int kiln_job_compile(const kiln_job *, const char *product, kiln_artifact **out,
                                kiln_error **error);
KILN_C_API int kiln_job_prepare(const kiln_job *, const kiln_device *, kiln_kernel **out, kiln_error **error);
KILN_C_API int kiln_job_return_type(const kiln_job *, char **text, kiln_error **error);
KILN_C_API int kiln_job_renew(const kiln_job *, kiln_job **out, kiln_error **error);
/* Attaches data of the embedder to the job's code. Kiln calls release(data) when the code goes away. `key` is
 * any address of the embedder; kiln_job_attached finds the data by it. */
KILN_C_API int kiln_job_attach(const kiln_job *, const void *key, void *data, void (*release)(void *data),
                               kiln_error **error);
KILN_C_API void *kiln_job_attached(const kiln_job *, const void *key); /* null: nothing */
KILN_C_API void kiln_job_free(kiln_job *);

/* A scope collects the jobs that are compiled, prepared or launched while it is open, each job once: JobScope
 * of kiln/held_job.h. */
typedef struct kiln_scope kiln_scope;

KILN_C_API int kiln_scope_open(kiln_session *, kiln_scope **out, kiln_error **error);
KILN_C_API size_t kiln_scope_job_count(const kiln_scope *);
KILN_C_API int kiln_scope_job(const kiln_scope *, size_t index, kiln_job **out, kiln_error **error);
KILN_C_API void kiln_scope_close(kiln_scope *);

/* ---- IR functions: functions whose body is LLVM IR from the embedder: kiln/ir_function.h */

typedef struct kiln_ir_function { /* IrFunction of kiln/ir_function.h; that header explains arguments */
  size_t struct_size;
  const char *name;             /* of the function: "scale" */
  const char *const *arguments; /* types of the arguments: "CuDeviceVector{Float32,1}" */
  size_t argument_count;
  const char *returns; /* null: "Nothing" */
  const void *ir;      /* LLVM's text or bitcode */
  size_t ir_size;
  const char *symbol; /* name of the function in the IR module; null: `name` */
  const char *file;   /* file name in messages; null: `name` with ".ll" or ".bc" */
  uint32_t line;      /* line of `file` at which the text begins; 0: line 1 */
} kiln_ir_function;
/* Defines a function whose body is LLVM IR. Kiln does not check what the IR does: accept only trusted IR. */
KILN_C_API int kiln_define_ir(kiln_session *, const kiln_ir_function *function, kiln_error **error);

/* ---- host functions: C functions that compiled code for the CPU can call. kiln/host_function.h lists the
 * types that C code can take, and the rules for host functions. */

typedef struct kiln_host_signature { /* HostSignature of kiln/host_function.h */
  size_t struct_size;
  const char *const *arguments; /* types of the arguments: "Float64", "Ptr{Float32}" */
  size_t argument_count;
  const char *returns; /* null: "Nothing" */
  /* Exceptions by status. If not empty, the C function returns an int32_t status and writes its result
   * through an additional last parameter. Status i > 0 raises exception raises[i - 1] at the line of the
   * call: "DomainError", "ErrorException: the table is full". */
  const char *const *raises;
  size_t raise_count;
} kiln_host_signature;
/* Defines a function in module Main that calls the C function at address `function`. Defining the same name
 * and signature again replaces only the address, for all later calls. A null `signature` means no arguments
 * and no result. */
KILN_C_API int kiln_define_host_function(kiln_session *, const char *name,
                                         const kiln_host_signature *signature, void *function,
                                         kiln_error **error);

/* ---- IR hooks: callbacks that receive and may replace the LLVM IR of single jobs: kiln/ir_hooks.h */

enum { KILN_FINISH_MODULE, KILN_FINISH_LINKED_MODULE, KILN_OPTIMIZE_MODULE, KILN_FINISH_IR };
enum { KILN_IR_TEXT, KILN_IR_BITCODE }; /* IrForm */

typedef struct kiln_ir_hooks {
  size_t struct_size;
  const char *name, *version; /* both are part of the cache keys of jobs with these hooks */
  unsigned moments;           /* bit set of moments at which `rewrite` is called: 1 << KILN_FINISH_IR | ... */
  /* Receives the LLVM module of a job as text or bitcode. To replace the module, it calls give(context, ir,
   * size) once with the new one. Returns 0; any other result fails the job, and the text passed to `give` is
   * the error's message. IR text ends with a NUL. Several threads may call it at once; it must not call the
   * session. */
  int (*rewrite)(int moment, const char *ir, size_t size,
                 void (*give)(void *context, const char *ir, size_t size), void *context, void *user);
  void (*release)(void *user); /* called when no session or job needs the hooks any more; may be null */
  void *user;
  int form; /* form of IR for `rewrite`: KILN_IR_TEXT or KILN_IR_BITCODE */
} kiln_ir_hooks;
/* Registers hooks in the session, so that options_json can select them by name: {"hooks": "name"}. Replaces
 * hooks of the same name. */
KILN_C_API int kiln_session_add_hooks(kiln_session *, const kiln_ir_hooks *hooks, kiln_error **error);

/* ---- observers of products */

typedef struct kiln_observation kiln_observation;

typedef struct kiln_product { /* valid during the callback */
  size_t struct_size;
  const char *product;   /* name of the product, as in kiln_compile: "llvm", "asm" ... */
  const char *function;  /* of the job */
  const char *signature; /* "Tuple{typeof(f), Float32}" */
  const void *data;      /* the product; a text ends with a NUL that is not counted in `size` */
  size_t size;
} kiln_product;
/* Calls `observer` with each product of every job from now on, on the compiling threads, several at once. The
 * observer must not compile in the same session. `products`: names of products, separated by spaces; null:
 * all. kiln_observation_free ends the observation and waits for running calls of the observer. The handle may
 * outlive the session. */
KILN_C_API int kiln_session_observe(kiln_session *, const char *products,
                                    void (*observer)(const kiln_product *product, void *user), void *user,
                                    kiln_observation **out, kiln_error **error);
KILN_C_API void kiln_observation_free(kiln_observation *);

/* ---- calls on values: closures, tuples, structs and host arrays, whose types are hard to write as text.
 * Host arrays are passed as device arrays. KILN_INPUT: the value cannot be a kernel's argument. */

/* Makes a held job of the call of `function` on these values. */
KILN_C_API int kiln_job_of_values(kiln_session *, const kiln_value *function,
                                  const kiln_value *const *arguments, size_t count, const char *options_json,
                                  kiln_job **out, kiln_error **error);
/* Launches a kernel on these values and waits. On a GPU, every host array in the arguments is copied to the
 * device and back. */
KILN_C_API int kiln_launch_values(kiln_session *, const kiln_device *, const kiln_value *function,
                                  const kiln_shape *, const kiln_value *const *arguments, size_t count,
                                  const char *options_json, kiln_error **error);
/* Compiles and calls a plain function on the CPU and returns its value. */
KILN_C_API int kiln_call_values(kiln_session *, const kiln_value *function,
                                const kiln_value *const *arguments, size_t count, const char *options_json,
                                kiln_value **out, kiln_error **error);
/* Writes the bytes of a value as a kernel receives them, for kiln_kernel_launch, kiln_function_call and
 * kiln_value_of_bytes. For a closure these are its captured values, for an array its header. *size becomes
 * their number; 0: the value has no bytes. `out` may be null. KILN_USAGE: there are more than `capacity`
 * bytes; `out` is unchanged. */
KILN_C_API int kiln_value_bytes(kiln_session *, const kiln_value *, void *out, size_t capacity, size_t *size,
                                kiln_error **error);

/* ---- plain functions (not kernels), compiled and called on the CPU */

typedef struct kiln_function kiln_function;

/* Compiles and loads a plain function for the CPU. `call` is "f(T1, T2)"; `options_json` is as for
 * kiln_compile. */
KILN_C_API int kiln_prepare_function(kiln_session *, const char *call, const char *options_json,
                                     kiln_function **out, kiln_error **error);
KILN_C_API int kiln_job_prepare_function(const kiln_job *, kiln_function **out, kiln_error **error);
/* Calls the function. arguments[i] points to the bytes of its i-th parameter; parameters without bytes are
 * left out. Writes kiln_function_result_size bytes to `result`. */
KILN_C_API int kiln_function_call(const kiln_function *, const void *const *arguments, size_t count,
                                  void *result, kiln_error **error);
/* Calls the function like kiln_function_call. A request on `stop` ends it with the error kind "Stopped". */
KILN_C_API int kiln_function_call_with(const kiln_function *, const void *const *arguments, size_t count,
                                       void *result, const kiln_stop_source *stop, kiln_error **error);
KILN_C_API uint64_t kiln_function_result_size(const kiln_function *); /* bytes */
KILN_C_API size_t kiln_function_parameter_count(const kiln_function *);
KILN_C_API uint64_t kiln_function_parameter_size(const kiln_function *, size_t parameter); /* bytes */
/* *out becomes a C function pointer, to be cast to the function's type: `double (*)(double, int64_t)` for a
 * function of a Float64 and an Int64 that returns a Float64. Valid until kiln_function_free. If the function
 * throws, the call returns zero, and kiln_function_take_error returns the error. */
KILN_C_API int kiln_function_address(const kiln_function *, void **out, kiln_error **error);
/* Returns the first error of calls through kiln_function_address on this thread since the last
 * kiln_function_take_error. Status 0: no call failed. */
KILN_C_API int kiln_function_take_error(kiln_error **error);
KILN_C_API void kiln_function_free(kiln_function *);

#ifdef __cplusplus
}
#endif
#endif
