/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   A plug-in of QEMU 7.2 that counts the instructions which an emulated process executes:
   QEMU_PLUGIN=file=LIBRARY,out=FILE. The declarations are those of QEMU's plug-in interface, version 1
   (https://www.qemu.org/docs/master/devel/tcg-plugins.html). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*translated)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
                                          void (*executed)(unsigned cpu, void *instructions), int registers,
                                          void *instructions);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*ended)(qemu_plugin_id_t, void *), void *data);

EXPORTED int qemu_plugin_version = 1;

enum { MAX_THREADS = 256 };
static uint64_t counts[MAX_THREADS]; /* QEMU gives each thread of the process a number: no two threads write
                                        one element */
static FILE *out;

static void executed(unsigned cpu, void *instructions) {
  counts[cpu % MAX_THREADS] += (uintptr_t)instructions;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

static void ended(qemu_plugin_id_t id, void *data) {
  uint64_t sum = 0;
  for (unsigned thread = 0; thread < MAX_THREADS; thread++) sum += counts[thread];
  fprintf(out, "%llu\n", (unsigned long long)sum);
  fclose(out);
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    if (strncmp(argv[i], "out=", 4) == 0) out = fopen(argv[i] + 4, "w");
  if (!out) {
    fputs("qemu_instructions: out=FILE is missing, or the file cannot be written\n", stderr);
    return -1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
