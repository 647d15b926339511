/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Job lists from manifests and traces, precompiling, and the folder of the persistent cache. C forms of
 * kiln/job_list.h, kiln/precompile.h, kiln/cache.h and kiln/records.h. docs/cache.md describes the files and
 * the folder. Statuses, errors, handles, structures and strings are as kiln/c.h says.
 *
 * Threads: any number of threads may use one kiln_cache at once, and one kiln_job_list while no thread adds
 * to it.
 */
#ifndef KILN_C_CACHE_H
#define KILN_C_CACHE_H

#include <kiln/c_language.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- precompiling: fills the cache's folder before a program runs */

typedef struct kiln_precompile_options {
  size_t struct_size;
  /* Options of the compiling sessions, with the cache's folder; null: the defaults */
  const kiln_session_options *session;
  unsigned threads; /* 0: one a core */
  /* Called after each job, one call at a time, on any thread. */
  void (*progress)(size_t done, size_t jobs, size_t hits, size_t failed, void *user);
  void *progress_user;
  /* Architectures for which each GPU job is compiled: "sm_80,sm_90a,sm_100f". Null: those that the trace
   * recorded. */
  const char *architectures;
  int no_merge; /* 1: each GPU kernel gets its own cubin, as bundles and exports need */
  /* Name of a work queue of precompiling processes on several machines, which together compile each job once.
   * Results go to the first store of session->remote, which must support leases (docs/guide/fleet.md). Null:
   * no queue. */
  const char *queue;
  unsigned queue_limit_seconds; /* time after which another process takes over a job of the queue; 0: 600 */
} kiln_precompile_options;

typedef struct kiln_precompile_report {
  size_t struct_size;
  size_t jobs, hits, failed, not_kept, not_assembled, missing;
  uint64_t made;
  size_t skipped; /* jobs of the trace that cannot be compiled in another process */
  /* With a queue: jobs that other processes compiled; jobs taken over from processes that ended; jobs
   * compiled without the queue because its server did not answer. */
  size_t elsewhere, returned, alone;
} kiln_precompile_report;

/* Compiles the jobs of a trace (kiln_session_options.trace_jobs). `report` may be null. KILN_INPUT, with the
 * diagnostics of all jobs concerned, if jobs failed, cannot be read, or cannot be compiled in another
 * process; all other jobs are compiled. KILN_INPUT too for a file that is no trace; nothing is compiled
 * then. */
KILN_C_API int kiln_precompile(const char *trace_file, const kiln_precompile_options *options,
                               kiln_precompile_report *report, kiln_error **error);

/* ---- lists of jobs. A list returned through `out` is the caller's (kiln_job_list_free). */

typedef struct kiln_job_list kiln_job_list;

/* Reads a manifest (JSON). KILN_INPUT: the file cannot be read, or the manifest is wrong; the error has each
 * fault with its place. */
KILN_C_API int kiln_read_manifest(const char *path, kiln_job_list **out, kiln_error **error);
/* Reads a trace (kiln_session_options.trace_jobs). KILN_INPUT: the file cannot be read, or is no trace. */
KILN_C_API int kiln_read_job_trace(const char *path, kiln_job_list **out, kiln_error **error);
/* Reads a manifest or a trace, whichever the file is. */
KILN_C_API int kiln_read_job_list(const char *path, kiln_job_list **out, kiln_error **error);
KILN_C_API int kiln_job_list_new(kiln_job_list **out, kiln_error **error); /* an empty list */
KILN_C_API void kiln_job_list_free(kiln_job_list *);

typedef struct kiln_job_entry { /* PrecompileJob */
  size_t struct_size;
  const char *const *files; /* names of source files, in the order in which a session loads them */
  size_t file_count;
  const char *folder;          /* folder for relative file names; null: the working folder of the process */
  const char *call;            /* "f(T1, T2)" */
  const char *hidden_argument; /* expression of a hidden first argument (kiln_iteration_space); null: none */
  /* Captured variables of a kernel inside a host function: name, expression, name, ... */
  const char *const *captures;
  size_t capture_count;     /* number of pairs in captures */
  const char *options_json; /* options of the job, as for kiln_compile */
  const char *product;      /* "asm", "obj" or "cubin"; null: "cubin" for a GPU, else "obj" */
  const char *language;     /* language of files and call; null: Julia */
} kiln_job_entry;
/* Adds a job to the list. Strings that the list returned before become invalid. */
KILN_C_API int kiln_job_list_add(kiln_job_list *, const kiln_job_entry *entry, kiln_error **error);

KILN_C_API size_t kiln_job_list_count(const kiln_job_list *);
KILN_C_API const char *kiln_job_list_call(const kiln_job_list *, size_t job); /* "" past the end */
/* *text becomes a one-line description: the call, the target, and the options that differ from the target's
 * defaults. */
KILN_C_API int kiln_job_list_describe(const kiln_job_list *, size_t job, char **text, kiln_error **error);
/* Jobs of the file that cannot be compiled in another process, each with the reason. */
KILN_C_API size_t kiln_job_list_skipped_count(const kiln_job_list *);
KILN_C_API const char *kiln_job_list_skipped_call(const kiln_job_list *, size_t skipped);
KILN_C_API const char *kiln_job_list_skipped_reason(const kiln_job_list *, size_t skipped);
/* Warnings: one for each line of the trace that could not be read. */
KILN_C_API size_t kiln_job_list_warning_count(const kiln_job_list *);
KILN_C_API const char *kiln_job_list_warning(const kiln_job_list *, size_t warning);

/* *out becomes shard `index` (from 1) of `count` shards: the jobs for one of several machines. The shards of
 * equal lists are disjoint and together hold every job. KILN_USAGE: there is no such shard. */
KILN_C_API int kiln_job_list_shard(const kiln_job_list *, unsigned index, unsigned count, kiln_job_list **out,
                                   kiln_error **error);
/* Reads this process's shard from the environment variables of a parallel launcher, such as its rank:
 * shard_of_rank of kiln/precompile.h. `count` is the number of processes; 0: the number that the launcher
 * set. Error: KILN_USAGE. */
KILN_C_API int kiln_shard_of_rank(unsigned count, unsigned *shard_index, unsigned *shard_count,
                                  kiln_error **error);
/* *out becomes the list for other architectures, "sm_80,sm_90a,sm_100f": each job for ptx is repeated for
 * each architecture. */
KILN_C_API int kiln_job_list_for_architectures(const kiln_job_list *, const char *architectures,
                                               kiln_job_list **out, kiln_error **error);
/* Opens a session whose calls are in the job's language, and loads the job's files into it: open_session of
 * kiln/job_list.h. `options` may be null. KILN_INPUT: the options lack the language, or a file has errors.
 */
KILN_C_API int kiln_job_list_open_session(const kiln_job_list *, size_t job,
                                          const kiln_session_options *options, kiln_session **out,
                                          kiln_error **error);
KILN_C_API const char *kiln_job_list_language(const kiln_job_list *, size_t job); /* "julia" */
/* Loads a job's files into the session, in order. */
KILN_C_API int kiln_job_list_load_files(const kiln_job_list *, size_t job, kiln_session *,
                                        kiln_error **error);
/* *out becomes a handle of the job in a session that has loaded the job's files; the caller's
 * (kiln_job_free). */
KILN_C_API int kiln_job_list_hold(const kiln_job_list *, size_t job, kiln_session *, kiln_job **out,
                                  kiln_error **error);
/* *text becomes the expression of the hidden first argument of a KernelAbstractions `@kernel`. `group` and
 * `range` are the sizes of its work group and index range, "X[,Y...]" or null. Both null: "". */
KILN_C_API int kiln_iteration_space(const char *group, const char *range, char **text, kiln_error **error);

/* Compiles the list's jobs into the cache's folder. `options` and `report` may be null. `each`, null or an
 * array with one element per job, gets each job's error or null; the errors are the caller's. If jobs fail,
 * the other jobs are still compiled; the status is the first failure's, and `error` has the diagnostics of
 * all. KILN_USAGE also if options->architectures is set: use kiln_job_list_for_architectures. */
KILN_C_API int kiln_precompile_list(const kiln_job_list *, const kiln_precompile_options *options,
                                    kiln_precompile_report *report, kiln_error **each, kiln_error **error);

/* ---- the folder of the persistent cache, read and maintained without a session: CacheFolder of
 * kiln/cache.h */

typedef struct kiln_cache kiln_cache;

/* *text becomes the path of the cache's folder for a session with these options (null: the defaults); "": no
 * folder. */
KILN_C_API int kiln_cache_folder_path(const kiln_session_options *options, char **text, kiln_error **error);
/* Opens the cache's folder that the options name, with the budget, log and shared folder of the options.
 * Creates nothing on disk. Data that the options' callbacks use must outlive the handle. KILN_USAGE: the
 * options name no folder. */
KILN_C_API int kiln_cache_open(const kiln_session_options *options, kiln_cache **out, kiln_error **error);
KILN_C_API void kiln_cache_free(kiln_cache *);
KILN_C_API const char *kiln_cache_path(const kiln_cache *); /* absolute */
KILN_C_API uint64_t kiln_cache_budget(const kiln_cache *);  /* maximum size in bytes */
KILN_C_API int kiln_cache_exists(const kiln_cache *);
/* Checks that sessions can use the folder. KILN_MACHINE: they cannot; the message says why. */
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
  size_t entries, dropped; /* entries before the sweep, and entries that it dropped */
} kiln_folder_sweep;
/* Drops the least recently used entries until the folder is within its budget. `out` may be null.
 * KILN_MACHINE also if another process sweeps the folder now. */
KILN_C_API int kiln_cache_sweep(const kiln_cache *, kiln_folder_sweep *out, kiln_error **error);
KILN_C_API int kiln_cache_clear(const kiln_cache *, kiln_folder_sweep *out,
                                kiln_error **error); /* drops all entries */

typedef struct kiln_folder_archive { /* CacheExport, CacheImport */
  size_t struct_size;
  size_t entries;       /* export: entries written; import: entries that the folder holds now */
  size_t without_cubin; /* export: kernels that have no cubin of their own, only a shared one */
  size_t damaged, lost; /* import: damaged entries left out; entries that could not be stored */
  int is_cut_off;       /* import: the archive ends within an entry */
} kiln_folder_archive;
/* Writes every entry of the folder to one archive file; a failure leaves no partial file. `out` may be
 * null. */
KILN_C_API int kiln_cache_export(const kiln_cache *, const char *file, kiln_folder_archive *out,
                                 kiln_error **error);
/* Writes every entry to `folder` as an OCI image layout: CacheFolder::export_image. `out` may be null.
 * KILN_INPUT: the folder exists and is not empty, or cannot be written. KILN_MACHINE: there are no entries.
 */
KILN_C_API int kiln_cache_export_image(const kiln_cache *, const char *folder, kiln_folder_archive *out,
                                       kiln_error **error);
/* Adds the undamaged entries of an archive that kiln_cache_export wrote to the folder. `out` may be null. */
KILN_C_API int kiln_cache_import(const kiln_cache *, const char *file, kiln_folder_archive *out,
                                 kiln_error **error);

typedef struct kiln_folder_check { /* VerifyReport */
  size_t struct_size;
  size_t entries, artifacts; /* undamaged entries, and the number of artifacts among them */
  size_t damaged;            /* entries with a wrong checksum, dropped */
  size_t checked;            /* entries that were compiled again and compared */
  size_t wrong;              /* entries that a fresh compile does not reproduce, dropped */
  size_t unable;             /* jobs that do not compile on this machine */
  size_t absent;             /* jobs that the folder does not hold */
  size_t without_text; /* cubins of several kernels, not checked since the PTX of some kernels is missing */
  size_t others;       /* entries not checked, since another libdevice or assembler made them */
} kiln_folder_check;
/* Checks the checksum of every entry, then compiles up to `sample` entries again and compares: those of
 * `jobs`, or the assembled entries if `jobs` is null. Calls `found` (may be null) for each fault before it
 * returns. `what` is "damaged", "wrong" or "unable"; `text` is a key or a reason. Both strings are valid
 * during the call. `out` may be null. The status is KILN_OK even if faults are found. */
KILN_C_API int kiln_cache_verify(const kiln_cache *, const kiln_job_list *jobs, size_t sample,
                                 kiln_folder_check *out,
                                 void (*found)(const char *what, const char *text, void *user), void *user,
                                 kiln_error **error);

typedef struct kiln_folder_explanation { /* CacheExplanation; its strings are valid during the callback */
  size_t struct_size;
  const char *key; /* key of the artifact: 32 hexadecimal digits */
  int is_hit;
  int is_other_entry; /* a miss although the key has an entry: it holds another kind of data */
  uint64_t bytes;     /* of the artifact */
  double compile_ms;  /* time of the compile: on a hit the recorded one, on a miss the one made now */
  /* Function of the stored artifact that differs least; null: none, or a hit */
  const char *nearest_function;
  const char *nearest_arguments;  /* null: as above */
  double nearest_compile_ms;      /* as above */
  const char *const *differences; /* "opt_level: 2 there, 3 here" */
  size_t difference_count;
  const char *cubin_key; /* null: the product is no cubin */
  int cubin_is_hit;
  uint64_t cubin_bytes;
  const char *assembler;       /* a hit: the assembler that made the cubin; a miss: this machine's */
  const char *other_assembler; /* a miss: assembler of a stored cubin of the same PTX; "": there is none */
  double assemble_ms;
  const char *not_assembled; /* a miss without assemble_ms: the reason; else "" */
} kiln_folder_explanation;
/* Explains a cache hit or miss: looks for a job's product ("asm", "obj", "cubin"; null: "asm") in the folder
 * and calls `explain` once before it returns. On a miss the session compiles the job. Open that session with
 * cache_dir and shared_cache_dir "", or it stores the result in the folder. */
KILN_C_API int kiln_cache_explain(const kiln_cache *, kiln_session *, const kiln_job *, const char *product,
                                  void (*explain)(const kiln_folder_explanation *explanation, void *user),
                                  void *user, kiln_error **error);

/* ---- records: small texts that a tool stores in a session's persistent cache: kiln/records.h */

KILN_C_API int kiln_keeps_records(kiln_session *); /* 1: the session has a persistent cache */
/* Reads a record. *text is the caller's (kiln_text_free), null if no record has that name. A NUL follows its
 * *size bytes.
 */
KILN_C_API int kiln_find_record(kiln_session *, const char *name, char **text, size_t *size,
                                kiln_error **error);
/* Stores a text as a record, atomically. `waits` 1: returns after the record is stored; 0: at once. */
KILN_C_API int kiln_keep_record(kiln_session *, const char *name, const char *text, size_t size, int waits,
                                kiln_error **error);
/* Deletes a record that the tool could not read, and logs a warning with `reason`. */
KILN_C_API int kiln_drop_record(kiln_session *, const char *name, const char *reason, kiln_error **error);

#ifdef __cplusplus
}
#endif
#endif
