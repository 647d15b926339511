# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/matrix_types; after: program/spectral
# Results of eigen in programs with packages, which have methods for the type Eigen.

__eigen_of(values::AbstractVector, vectors::AbstractMatrix) = Eigen(values, vectors)
show(io::IO, m::MIME{Symbol("text/plain")}, F::Eigen) = __show_eigen(io, m, F)
(::Type{Array})(F::Eigen) = __matrix_of_eigen(F)
(::Type{Matrix})(F::Eigen) = __matrix_of_eigen(F)
inv(F::Eigen) = F.vectors * diagm(map(inv, F.values)) * inv(F.vectors)
det(F::Eigen) = prod(F.values)
