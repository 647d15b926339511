# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Paths in the commands of lit tests, also where a folder's name holds a blank. A module, for lit's workers unpickle its class."""
import os

import lit.formats
import lit.TestRunner


def word(path):
    """The path as one word of a command."""
    return path.replace(" ", "\\ ")


class PathTest(lit.formats.ShTest):
    """A test whose paths %s, %S, %t and %T are words. lit alone puts them into commands as they are."""

    def execute(self, test, lit_config):
        source, (scratch, base) = test.getSourcePath(), lit.TestRunner.getTempPaths(test)
        paths = (("s", source), ("S", os.path.dirname(source)), ("t", base + ".tmp"), ("T", scratch))
        self.extra_substitutions = [(f"%{letter}(?![a-z])", word(path)) for letter, path in paths]
        return super().execute(test, lit_config)
