// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable of the object's own, a table of constants, and a call by a table of addresses.

static long count;
static const long primes[] = {2, 3, 5, 7, 11, 13};

long next(long step) { return count += step; }
long prime(long i) { return primes[i]; }

static long twice(long x) { return 2 * x; }
static long negated(long x) { return -x; }
static long (*const operations[])(long) = {twice, negated, next};

long apply(long operation, long x) { return operations[operation](x); }
