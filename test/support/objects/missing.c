// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lost` calls functions that no process has; `found` does not.

extern int kiln_test_nowhere(int);
extern int kiln_test_never(int);

int lost(int x) { return kiln_test_nowhere(x) + kiln_test_never(x); }
int found(int x) { return x + 1; }
