/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lets an embedder add a language for a session's files, expressions and calls: Frontend of
 * kiln/extension/language/frontend.h in C. The language's functions make definitions through
 * kiln/c_language.h. Statuses, errors, handles, structures and strings are as kiln/c.h says.
 */
#ifndef KILN_C_FRONTEND_H
#define KILN_C_FRONTEND_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Argument of the language's functions load, evaluate and resolve: the text to process and callbacks for the
 * result. Valid until the function returns. */
typedef struct kiln_language_call {
  size_t struct_size;
  kiln_session *session;    /* session for calls of kiln/c_language.h */
  const kiln_value *module; /* module in which the text is evaluated */
  uint32_t file;            /* number of the text, for kiln_code_at and kiln_method.file */
  const char *name;         /* name of the file or text in messages */
  const char *text;         /* a NUL follows */
  size_t size;
  /* Reports an error of the program at bytes [begin, end) of the text. The call then fails with KILN_INPUT
   * and all reported errors. */
  void (*fail)(void *context, const char *message, uint32_t begin, uint32_t end);
  /* Returns a value to Kiln. `evaluate` calls it once with the expression's value; `resolve` calls it with
   * the function and then with the type of each argument. */
  void (*give)(void *context, const kiln_value *value);
  void *context; /* first argument of fail and give */
} kiln_language_call;

/* A language of the embedder. Its functions return 0, or another number for a failure. A session makes one
 * call at a time, on any thread. The functions may call kiln_type_*, kiln_module_*, kiln_source, kiln_code_*,
 * kiln_define_* and kiln_value_* except kiln_value_bytes. Other functions of the session fail with
 * KILN_USAGE. */
typedef struct kiln_language {
  size_t struct_size;
  const char *name;       /* name in messages and cache keys */
  const char *extensions; /* file name extensions, separated by spaces: ".abc .abd"; null: none */
  int (*load)(const kiln_language_call *, void *user);     /* evaluates the definitions of a file */
  int (*evaluate)(const kiln_language_call *, void *user); /* returns an expression's value by `give` */
  /* Returns, by `give`, the function and the argument types of a call. Kiln also passes calls that it wrote
   * itself, with types in Julia's notation, such as "f(Int64, Float32)": from traces, and for launches by
   * name. */
  int (*resolve)(const kiln_language_call *, void *user);
  void (*closed)(void *user); /* called when a session that used the language has ended; may be null */
  void *user;
  /* Writes names for messages and timing tables: calls `give` once with the text and returns 0. Another
   * result, or a null `spell`, selects Julia's notation. `what` is one of KILN_SPELL_*. For KILN_SPELL_TYPE
   * and KILN_SPELL_VALUE, `values` holds the type or value. For the others it holds the callee's type, then
   * each argument's type. Any thread calls it, several at once; it may use kiln_value_*. */
  int (*spell)(int what, const kiln_value *const *values, size_t count,
               void (*give)(void *context, const char *text, size_t size), void *context, void *user);
} kiln_language;

enum { /* values of `what` in kiln_language.spell */
       KILN_SPELL_TYPE,
       KILN_SPELL_VALUE,
       KILN_SPELL_FUNCTION, /* a function's name: "sin" */
       KILN_SPELL_CALL,     /* "f(::Int64)" in Julia */
       KILN_SPELL_JOB       /* "f(Int64)" in Julia */
};

/* Returns the `user` pointer of the session's language of that name (kiln_session_options.languages), or null
 * without such a language. */
KILN_C_API void *kiln_session_language(const kiln_session *, const char *name);

/* ---- a shared library that offers a language, for kiln_session_options.language_files and `kiln --language
 * libNAME.so`. kiln/extension/language/library.h is the C++ form. The library's source contains:
 *
 *   KILN_C_LANGUAGE_LIBRARY(languages) { kiln_language_list_add(languages, &my_language, NULL); }
 *
 * The library links libkiln and stays loaded until the process ends. */

/* List of the languages that a library offers (LanguageList). Valid while the library's entry function
 * runs. */
typedef struct kiln_language_list kiln_language_list;
/* Adds a language for each session that loads the library. KILN_USAGE: a field is missing; loading the
 * library then fails with this error. */
KILN_C_API int kiln_language_list_add(kiln_language_list *, const kiln_language *language,
                                      kiln_error **error);
/* Reports why the library cannot offer a language: loading the library fails with this message. */
KILN_C_API int kiln_language_list_fail(kiln_language_list *, const char *message, kiln_error **error);

#define KILN_C_LANGUAGE_ABI "C of libkiln.so.0"
#ifdef __cplusplus
#define KILN_C_LANGUAGE_EXTERN extern "C"
#else
#define KILN_C_LANGUAGE_EXTERN extern
#endif
/* Begins the definition of the library's entry function; its body follows. Use it once per library. */
#define KILN_C_LANGUAGE_LIBRARY(list)                                                                        \
  KILN_C_LANGUAGE_EXTERN KILN_C_API const char kiln_language_abi[sizeof KILN_C_LANGUAGE_ABI];                \
  const char kiln_language_abi[sizeof KILN_C_LANGUAGE_ABI] = KILN_C_LANGUAGE_ABI;                            \
  KILN_C_LANGUAGE_EXTERN KILN_C_API void kiln_language_library(kiln_language_list *list);                    \
  void kiln_language_library(kiln_language_list *list)

#ifdef __cplusplus
}
#endif
#endif
