# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``numba.typed``: containers of host functions. Host functions run as Python, so these are Python's list and dict."""

from __future__ import annotations


class List(list):
    """A list; Numba's has items of one type."""

    @classmethod
    def empty_list(cls, item_type, allocated: int = 0) -> List:
        """An empty list. `item_type` and `allocated` change nothing."""
        return cls()


class Dict(dict):
    """A dictionary; Numba's has keys of one type and values of one type."""

    @classmethod
    def empty(cls, key_type, value_type, n_keys: int = 0) -> Dict:
        """An empty dictionary. The types and `n_keys` change nothing."""
        return cls()
