# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: PivotingStrategy, NoPivot, RowNonZero, RowMaximum, ColumnNorm
# The choice of pivots in factorizations.

abstract type PivotingStrategy end
struct NoPivot <: PivotingStrategy end
struct RowNonZero <: PivotingStrategy end
struct RowMaximum <: PivotingStrategy end
struct ColumnNorm <: PivotingStrategy end

module LinearAlgebra
import Base: PivotingStrategy, NoPivot, RowNonZero, RowMaximum, ColumnNorm
export NoPivot, RowNonZero, RowMaximum, ColumnNorm
end
