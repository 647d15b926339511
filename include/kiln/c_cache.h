/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lists of jobs from manifests and traces, and the folder of the persistent cache: kiln/job_list.h,
 * kiln/precompile.h, kiln/cache.h and kiln/records.h in C. docs/cache.md describes the files and the folder.
 * Statuses, errors, handles, structures and strings follow kiln/c.h.
 *
 * Threads: any number of threads may use a kiln_cache, or a kiln_job_list that no thread adds to.
 */
#ifndef KILN_C_CACHE_H
#define KILN_C_CACHE_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- filling the cache's folder before a program runs */

typedef struct kiln_precompile_options {
  size_t struct_size;
  const kiln_session_options *session; /* the folder, above all; null: the defaults */
  unsigned threads;                    /* 0: one a core */
  /* After each job, one call at a time. */
  void (*progress)(size_t done, size_t jobs, size_t hits, size_t failed, void *user);
  void *progress_user;
  const char *architectures; /* "sm_80,sm_90a,sm_100f": the jobs for GPUs, for each; null: as recorded */
  int no_merge; /* 1: each kernel for a GPU gets a cubin of its own, which bundles and exports take */
  /* A name that workers on any machines share: each job is compiled once together, and published to the first
   * of session->remote, which needs leases (docs/guide/fleet.md). Null: none. */
  const char *queue;
  unsigned queue_limit_seconds; /* another worker repeats a job that takes longer; 0: 600 */
} kiln_precompile_options;

typedef struct kiln_precompile_report {
  size_t struct_size;
  size_t jobs, hits, failed, not_kept, not_assembled, missing;
  uint64_t made;
  size_t skipped; /* jobs of kiln_precompile's trace that cannot be repeated */
  /* With a queue: jobs done by other workers, jobs taken over from workers that ended, and jobs compiled
   * without the queue because its server did not answer. */
  size_t elsewhere, returned, alone;
} kiln_precompile_report;

/* Compiles the jobs of a trace (kiln_session_options.trace_jobs). The report may be null. KILN_INPUT: jobs
 * failed, or were left out because they cannot be read or repeated, with the diagnostics of all; the others
 * are compiled. KILN_INPUT too, and nothing is compiled, for a file that is no trace. */
KILN_C_API int kiln_precompile(const char *trace_file, const kiln_precompile_options *options,
                               kiln_precompile_report *report, kiln_error **error);

/* ---- lists of jobs. Each function's list is the caller's (kiln_job_list_free). */

typedef struct kiln_job_list kiln_job_list;

/* Reads a manifest (JSON). KILN_INPUT: the file cannot be read, or the faults of the manifest, each with its
 * place. */
KILN_C_API int kiln_read_manifest(const char *path, kiln_job_list **out, kiln_error **error);
/* Reads a trace (kiln_session_options.trace_jobs). KILN_INPUT: the file cannot be read, or is no trace. */
KILN_C_API int kiln_read_job_trace(const char *path, kiln_job_list **out, kiln_error **error);
/* Reads a manifest or a trace. */
KILN_C_API int kiln_read_job_list(const char *path, kiln_job_list **out, kiln_error **error);
KILN_C_API int kiln_job_list_new(kiln_job_list **out, kiln_error **error); /* an empty list */
KILN_C_API void kiln_job_list_free(kiln_job_list *);

typedef struct kiln_job_entry { /* PrecompileJob */
  size_t struct_size;
  const char *const *files; /* names of files, in the order in which a session loads them */
  size_t file_count;
  const char *folder;          /* in which relative names are meant; null: the process's own */
  const char *call;            /* "f(T1, T2)" */
  const char *hidden_argument; /* an expression, as kiln_iteration_space returns it; null: none */
  const char *const *captures; /* of a kernel inside a host function: name, expression, name, ... */
  size_t capture_count;        /* pairs */
  const char *options_json;    /* as kiln_compile's */
  const char *product;         /* "asm", "obj" or "cubin"; null: "cubin" for a GPU, else "obj" */
  const char *language;        /* of files and call; null: Julia */
} kiln_job_entry;
/* Adds a job. The strings that the list gave before are then no longer valid. */
KILN_C_API int kiln_job_list_add(kiln_job_list *, const kiln_job_entry *entry, kiln_error **error);

KILN_C_API size_t kiln_job_list_count(const kiln_job_list *);
KILN_C_API const char *kiln_job_list_call(const kiln_job_list *, size_t job); /* "" past the end */
/* One line for people: the call, the target, and the options that differ from the target's defaults. */
KILN_C_API int kiln_job_list_describe(const kiln_job_list *, size_t job, char **text, kiln_error **error);
/* Jobs of the file that cannot be repeated in another process, and the reason. */
KILN_C_API size_t kiln_job_list_skipped_count(const kiln_job_list *);
KILN_C_API const char *kiln_job_list_skipped_call(const kiln_job_list *, size_t skipped);
KILN_C_API const char *kiln_job_list_skipped_reason(const kiln_job_list *, size_t skipped);
/* Lines of the file that could not be read. */
KILN_C_API size_t kiln_job_list_warning_count(const kiln_job_list *);
KILN_C_API const char *kiln_job_list_warning(const kiln_job_list *, size_t warning);

/* The jobs of one machine of `count`; `index` counts from 1. The shards of equal files are disjoint, and each
 * job is in one. KILN_USAGE: there is no such shard. */
KILN_C_API int kiln_job_list_shard(const kiln_job_list *, unsigned index, unsigned count, kiln_job_list **out,
                                   kiln_error **error);
/* The shard of this process, from the variables of a launcher: shard_of_rank of kiln/precompile.h. `count`:
 * the number of processes; 0: the launcher's. Error: KILN_USAGE. */
KILN_C_API int kiln_shard_of_rank(unsigned count, unsigned *shard_index, unsigned *shard_count,
                                  kiln_error **error);
/* The list for other architectures, "sm_80,sm_90a,sm_100f": each job for ptx becomes one for each of them. */
KILN_C_API int kiln_job_list_for_architectures(const kiln_job_list *, const char *architectures,
                                               kiln_job_list **out, kiln_error **error);
/* Opens a session in which calls are of the job's language, and loads the job's files: open_session of
 * kiln/job_list.h. `options` may be null. KILN_INPUT: a language that the options lack, or a file's faults.
 */
KILN_C_API int kiln_job_list_open_session(const kiln_job_list *, size_t job,
                                          const kiln_session_options *options, kiln_session **out,
                                          kiln_error **error);
KILN_C_API const char *kiln_job_list_language(const kiln_job_list *, size_t job); /* "julia" */
/* Loads a job's files into the session, in order. */
KILN_C_API int kiln_job_list_load_files(const kiln_job_list *, size_t job, kiln_session *,
                                        kiln_error **error);
/* The job in a session that has loaded its files; the caller's (kiln_job_free). */
KILN_C_API int kiln_job_list_hold(const kiln_job_list *, size_t job, kiln_session *, kiln_job **out,
                                  kiln_error **error);
/* The hidden first argument of a `@kernel` as an expression; `group` and `range` are "X[,Y...]" or null. Both
 * null: "". */
KILN_C_API int kiln_iteration_space(const char *group, const char *range, char **text, kiln_error **error);

/* Compiles the list's jobs, which are in the folder afterwards. `options` and `report` may be null. `each`,
 * null or an array with a place for each job, gets that job's error or null; they are the caller's.
 * KILN_INPUT ...: jobs failed; `error` has the diagnostics of all of them, and the others are compiled all
 * the same. KILN_USAGE also for options->architectures: kiln_job_list_for_architectures takes them. */
KILN_C_API int kiln_precompile_list(const kiln_job_list *, const kiln_precompile_options *options,
                                    kiln_precompile_report *report, kiln_error **each, kiln_error **error);

/* ---- the cache's folder, seen from outside a session: CacheFolder of kiln/cache.h */

typedef struct kiln_cache kiln_cache;

/* The folder that a session with these options (null: the defaults) uses; "": none. */
KILN_C_API int kiln_cache_folder_path(const kiln_session_options *options, char **text, kiln_error **error);
/* Opens the folder in the options, with their budget, log and shared folder. Creates nothing on disk. Data
 * that the options' callbacks use must outlive the handle. KILN_USAGE: no folder is named. */
KILN_C_API int kiln_cache_open(const kiln_session_options *options, kiln_cache **out, kiln_error **error);
KILN_C_API void kiln_cache_free(kiln_cache *);
KILN_C_API const char *kiln_cache_path(const kiln_cache *); /* absolute */
KILN_C_API uint64_t kiln_cache_budget(const kiln_cache *);  /* maximum size in bytes */
KILN_C_API int kiln_cache_exists(const kiln_cache *);
/* KILN_MACHINE: sessions would not use the folder, and why. */
KILN_C_API int kiln_cache_check_usable(const kiln_cache *, kiln_error **error);

typedef struct kiln_folder_statistics { /* CacheStatistics */
  size_t struct_size;
  size_t entries;
  uint64_t bytes;        /* of all entries */
  uint64_t hits, misses; /* of all sessions that have closed */
  int64_t oldest_use;    /* seconds since 1970, rounded down to the hour; 0: there is no entry */
} kiln_folder_statistics;
KILN_C_API int kiln_cache_statistics(const kiln_cache *, kiln_folder_statistics *out, kiln_error **error);

typedef struct kiln_folder_sweep { /* CacheSweep */
  size_t struct_size;
  size_t entries, dropped; /* before the sweep, and by it */
} kiln_folder_sweep;
/* Drops the least recently used entries until the folder is within its budget. `out` may be null.
 * KILN_MACHINE also if another process sweeps the folder now. */
KILN_C_API int kiln_cache_sweep(const kiln_cache *, kiln_folder_sweep *out, kiln_error **error);
KILN_C_API int kiln_cache_clear(const kiln_cache *, kiln_folder_sweep *out,
                                kiln_error **error); /* drops all entries */

typedef struct kiln_folder_archive { /* CacheExport, CacheImport */
  size_t struct_size;
  size_t entries;       /* written, or held by the folder now */
  size_t without_cubin; /* export: kernels without a cubin of their own */
  size_t damaged, lost; /* import: entries left out, and entries that could not be kept */
  int is_cut_off;       /* import: the archive ends within an entry */
} kiln_folder_archive;
/* Writes every entry to one file, whole or not at all. `out` may be null. */
KILN_C_API int kiln_cache_export(const kiln_cache *, const char *file, kiln_folder_archive *out,
                                 kiln_error **error);
/* Writes every entry to `folder` as an OCI image layout: CacheFolder::export_image. `out` may be null.
 * KILN_INPUT: the folder exists and is not empty, or cannot be written. KILN_MACHINE: there are no entries.
 */
KILN_C_API int kiln_cache_export_image(const kiln_cache *, const char *folder, kiln_folder_archive *out,
                                       kiln_error **error);
/* Takes the undamaged entries of a file that kiln_cache_export wrote. `out` may be null. */
KILN_C_API int kiln_cache_import(const kiln_cache *, const char *file, kiln_folder_archive *out,
                                 kiln_error **error);

typedef struct kiln_folder_check { /* VerifyReport */
  size_t struct_size;
  size_t entries, artifacts; /* undamaged entries, and the artifacts among them */
  size_t damaged;            /* entries with a wrong checksum, dropped */
  size_t checked;            /* entries that were made again */
  size_t wrong;              /* entries that a fresh compile does not reproduce, dropped */
  size_t unable;             /* jobs that do not compile here */
  size_t absent;             /* jobs that the folder does not hold */
  size_t without_text;       /* cubins of several kernels without all of their texts */
  size_t others;             /* entries made with another libdevice or assembler */
} kiln_folder_check;
/* Checks every entry's checksum. Then it makes up to `sample` entries again and compares: those of `jobs`, or
 * for null the assembled ones. Before it returns, it calls `found` (may be null) for each fault: `what` is
 * "damaged", "wrong" or "unable", `text` a key or a reason; both are valid during the call. `out` may be
 * null. Faults are not an error. */
KILN_C_API int kiln_cache_verify(const kiln_cache *, const kiln_job_list *jobs, size_t sample,
                                 kiln_folder_check *out,
                                 void (*found)(const char *what, const char *text, void *user), void *user,
                                 kiln_error **error);

typedef struct kiln_folder_explanation { /* CacheExplanation. Its strings are valid during the call. */
  size_t struct_size;
  const char *key; /* of the artifact: 32 hexadecimal digits */
  int is_hit;
  int is_other_entry;             /* a miss: the key's entry holds no artifact */
  uint64_t bytes;                 /* of the artifact */
  double compile_ms;              /* time of the compile that made it, or of the one made now */
  const char *nearest_function;   /* of the artifact that differs least; null: none, or a hit */
  const char *nearest_arguments;  /* null: as above */
  double nearest_compile_ms;      /* as above */
  const char *const *differences; /* "opt_level: 2 there, 3 here" */
  size_t difference_count;
  const char *cubin_key; /* null: the product is no cubin */
  int cubin_is_hit;
  uint64_t cubin_bytes;
  const char *assembler;       /* a hit: the one that made the cubin; a miss: this machine's */
  const char *other_assembler; /* a miss: the one that made the folder's cubin of the same text; or "" */
  double assemble_ms;
  const char *not_assembled; /* a miss: the reason why there is no time; or "" */
} kiln_folder_explanation;
/* Looks for a job's product ("asm", "obj", "cubin"; null: "asm") in the folder. Calls `explain` once with the
 * result, before it returns. On a miss the session compiles the job: open it with an empty cache_dir and
 * shared_cache_dir, or it stores the result. */
KILN_C_API int kiln_cache_explain(const kiln_cache *, kiln_session *, const kiln_job *, const char *product,
                                  void (*explain)(const kiln_folder_explanation *explanation, void *user),
                                  void *user, kiln_error **error);

/* ---- small texts that a tool keeps in a session's cache: kiln/records.h */

KILN_C_API int kiln_keeps_records(kiln_session *); /* 1: the session has a persistent cache */
/* *text is the caller's (kiln_text_free), null where there is no such record; a NUL follows its `size` bytes.
 */
KILN_C_API int kiln_find_record(kiln_session *, const char *name, char **text, size_t *size,
                                kiln_error **error);
/* Keeps the text, whole or not at all. `waits`: 1 returns when it is stored. */
KILN_C_API int kiln_keep_record(kiln_session *, const char *name, const char *text, size_t size, int waits,
                                kiln_error **error);
/* Drops a record that the tool could not read; logs a warning with the reason. */
KILN_C_API int kiln_drop_record(kiln_session *, const char *name, const char *reason, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
