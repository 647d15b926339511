/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A language of the embedder's for a session's files, expressions and calls: Frontend of
 * kiln/extension/language/frontend.h in C. Its functions define by kiln/c_language.h. Statuses, errors,
 * handles, structures and strings follow kiln/c.h.
 */
#ifndef KILN_C_FRONTEND_H
#define KILN_C_FRONTEND_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One call of a language. Valid until the function returns. */
typedef struct kiln_language_call {
  size_t struct_size;
  kiln_session *session;    /* for the functions below */
  const kiln_value *module; /* module in which the text is read */
  uint32_t file;            /* for kiln_code_at and kiln_method.file */
  const char *name;         /* of the file or text, in messages */
  const char *text;         /* a NUL follows */
  size_t size;
  /* Notes a fault of the program at bytes [begin, end) of the text: the call ends in KILN_INPUT with all of
   * them. */
  void (*fail)(void *context, const char *message, uint32_t begin, uint32_t end);
  /* Gives a value: of an expression, or of a call the function and then the type of each argument. */
  void (*give)(void *context, const kiln_value *value);
  void *context; /* for fail and give */
} kiln_language_call;

/* A language. Its functions return 0, or anything else for a failure. A session makes one call at a time, on
 * any thread. They may use these functions of the session: kiln_value_* except kiln_value_bytes, kiln_type_*,
 * kiln_module_*, kiln_source, kiln_code_* and kiln_define_*. Other functions of it are KILN_USAGE. */
typedef struct kiln_language {
  size_t struct_size;
  const char *name;       /* in messages and cache keys */
  const char *extensions; /* extensions of its files, separated by blanks: ".abc .abd"; null: none */
  int (*load)(const kiln_language_call *, void *user);     /* evaluates a file's definitions */
  int (*evaluate)(const kiln_language_call *, void *user); /* returns an expression's value */
  /* Resolves a call to its function and argument types. Kiln also passes calls that it wrote itself,
   * "f(Int64, Float32)", with Julia's type names: from traces, and for launches by name. */
  int (*resolve)(const kiln_language_call *, void *user);
  void (*closed)(void *user); /* called after a session that used the language is destroyed; may be null */
  void *user;
  /* Spells names for messages and timing tables: gives the text once and returns 0. Any other status: Julia's
   * spelling. `values` are a type or a value; for calls, the type of the callee and of each argument. Any
   * thread, several at once; may use kiln_value_*. Null: Julia's spelling. */
  int (*spell)(int what, const kiln_value *const *values, size_t count,
               void (*give)(void *context, const char *text, size_t size), void *context, void *user);
} kiln_language;

enum { /* kiln_language.spell */
       KILN_SPELL_TYPE,
       KILN_SPELL_VALUE,
       KILN_SPELL_FUNCTION, /* a function's name: "sin" */
       KILN_SPELL_CALL,     /* "f(::Int64)" in Julia */
       KILN_SPELL_JOB       /* "f(Int64)" in Julia */
};

/* `user` of the session's language of that name (kiln_session_options.languages); null: there is none. */
KILN_C_API void *kiln_session_language(const kiln_session *, const char *name);

/* ---- a language in a shared library, for kiln_session_options.language_files and `kiln --language
 * libNAME.so`: kiln/extension/language/library.h in C.
 *
 *   KILN_C_LANGUAGE_LIBRARY(languages) { kiln_language_list_add(languages, &my_language, NULL); }
 *
 * The library links libkiln. It stays loaded until the process ends. */

typedef struct kiln_language_list kiln_language_list; /* LanguageList; valid during the entry's call */
/* Adds a language for each session that loads the library. KILN_USAGE: a field is missing; loading the
 * library then fails with this error. */
KILN_C_API int kiln_language_list_add(kiln_language_list *, const kiln_language *language,
                                      kiln_error **error);
/* Reports why the library cannot offer a language: loading it fails with this message. */
KILN_C_API int kiln_language_list_fail(kiln_language_list *, const char *message, kiln_error **error);

#define KILN_C_LANGUAGE_ABI "C of libkiln.so.0"
#ifdef __cplusplus
#define KILN_C_LANGUAGE_EXTERN extern "C"
#else
#define KILN_C_LANGUAGE_EXTERN extern
#endif
/* Begins the library's entry. Write it once a library. */
#define KILN_C_LANGUAGE_LIBRARY(list)                                                                        \
  KILN_C_LANGUAGE_EXTERN KILN_C_API const char kiln_language_abi[sizeof KILN_C_LANGUAGE_ABI];                \
  const char kiln_language_abi[sizeof KILN_C_LANGUAGE_ABI] = KILN_C_LANGUAGE_ABI;                            \
  KILN_C_LANGUAGE_EXTERN KILN_C_API void kiln_language_library(kiln_language_list *list);                    \
  void kiln_language_library(kiln_language_list *list)

#ifdef __cplusplus
}
#endif
#endif
