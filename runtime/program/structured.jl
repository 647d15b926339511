# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arithmetic of triangular, symmetric and diagonal matrices in programs.
