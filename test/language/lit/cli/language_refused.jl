# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Files that --language does not take, each with its reason.
# RUN: rm -rf %t && mkdir %t && cd %t && cp %s own.jl && echo text > text.so && mkdir folder.so
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language ./nothing.so 2>&1 | %filecheck %s --check-prefix=NOTHING
# NOTHING: {{.*}}rror[{{[0-9]+}}]: the language library ./nothing.so does not exist
# NOTHING: name a shared library (libNAME.so)
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language libnothing.so 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: {{.*}}rror[{{[0-9]+}}]: the language library libnothing.so cannot be loaded: {{.*}}No such file
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language folder.so 2>&1 | %filecheck %s --check-prefix=FOLDER
# FOLDER: {{.*}}rror[{{[0-9]+}}]: the language library folder.so is a folder
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language text.so 2>&1 | %filecheck %s --check-prefix=TEXT
# TEXT: {{.*}}rror[{{[0-9]+}}]: the language library text.so cannot be loaded: {{.*}}text.so
# TEXT: name a shared library (libNAME.so) for this machine
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language '' 2>&1 | %filecheck %s --check-prefix=NAMELESS
# NAMELESS: {{.*}}rror[{{[0-9]+}}]: the path of a language library is empty
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/no_entry.so 2>&1 | %filecheck %s --check-prefix=ENTRY
# ENTRY: no_entry.so is no library of languages: it has no kiln_language_library
# ENTRY: docs/guide/embed-a-language.md shows how a library offers a language (KILN_LANGUAGE_LIBRARY)
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/empty.so 2>&1 | %filecheck %s --check-prefix=EMPTY
# EMPTY: empty.so offers no language
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/julia.so 2>&1 | %filecheck %s --check-prefix=NAME
# NAME: {{.*}}rror[{{[0-9]+}}]: there are two languages named julia (the latter is from the library {{.*}}julia.so): give one of them another name
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/adders.so --language %libraries/adders.so 2>&1 | %filecheck %s --check-prefix=TWICE
# TWICE: {{.*}}rror[{{[0-9]+}}]: there are two languages named adders
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/extension.so 2>&1 | %filecheck %s --check-prefix=EXTENSION
# EXTENSION: {{.*}}rror[{{[0-9]+}}]: the languages julia and faulty both claim files named *.jl (the latter is from the library {{.*}}extension.so)
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/incomplete.so 2>&1 | %filecheck %s --check-prefix=LACKS
# LACKS: incomplete.so failed: the language faulty lacks one of load, evaluate and resolve: all are needed
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/fails.so 2>&1 | %filecheck %s --check-prefix=FAILS
# FAILS: fails.so failed: its licence has ended
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/other_build.so 2>&1 | %filecheck %s --check-prefix=BUILD
# BUILD: other_build.so was built for another Kiln ("C++ headers 0000000000000000 of Kiln 0.2.0"), and this is build {{[0-9a-f]+}} ("C++ headers {{[0-9a-f]+}} of Kiln
# BUILD: build it again with the headers of this one
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/newer.so 2>&1 | %filecheck %s --check-prefix=NEWER
# NEWER: newer.so needs what this Kiln does not have: {{.*}}kiln_of_a_later_version
# NEWER: it was built for another version
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/second_kiln.so 2>&1 | %filecheck %s --check-prefix=SECOND
# SECOND: second_kiln.so brings a second Kiln into the process: {{.*}}second_kiln.so of build 0123456789abcdef beside {{.*}} of build
#
# What a library throws is an error that names it.
# RUN: %status 2 %kiln compile own.jl 'f(Int64)' --no-kernel --language %libraries/throwing_entry.so 2>&1 | %filecheck %s --check-prefix=THROWS
# THROWS: kiln_language_library of the language library {{.*}}throwing_entry.so threw an exception: too little space
# RUN: echo five > x.throw && %status 2 %kiln compile x.throw 'f()' --language %libraries/throwing.so 2>&1 | %filecheck %s --check-prefix=LOAD
# LOAD: load of the language throwing threw an exception: a file of 5 bytes
# RUN: %status 3 %kiln compile own.jl 'f(Int64)' --language %libraries/throwing.so 2>&1 | %filecheck %s --check-prefix=MEMORY
# MEMORY: resolve_call of the language throwing threw an exception
# RUN: %status 2 %kiln run own.jl f --arg 1 --no-kernel --language %libraries/throwing.so 2>&1 | %filecheck %s --check-prefix=VALUE
# VALUE: evaluate of the language throwing threw an exception

f(x) = x + 1
