# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kiln.torch says before PyTorch is reached: a stand-in for torch.library calls setup_context by keywords, as PyTorch documents it."""

import sys
import types

import pytest

import kiln.torch


class Operator:
    def __init__(self, run):
        self.run = run

    def register_fake(self, fake):
        self.fake = fake

    def register_autograd(self, backward, *, setup_context=None):
        self.backward, self.setup_context = backward, setup_context

    def __call__(self, *args):
        result = self.run(*args)
        self.ctx = types.SimpleNamespace()
        if self.setup_context:
            self.setup_context(ctx=self.ctx, inputs=args, output=result)
        return result


@pytest.fixture
def torch(monkeypatch):
    made = types.ModuleType("torch")
    made.Tensor = type("Tensor", (), {})
    made.library = types.SimpleNamespace(custom_op=lambda name, run, **_: Operator(run))
    monkeypatch.setitem(sys.modules, "torch", made)


def test_setup_context_is_called_by_names(torch):
    def save(ctx, inputs, output):
        ctx.saved = inputs, output

    f = kiln.torch.custom_op("t::f", lambda a: a + 1, mutates_args=(), setup_context=save, backward=lambda ctx, grad: grad)
    assert f(4) == 5 and f.ctx.saved == ((4,), 5)


def test_backward_needs_no_setup_context(torch):
    f = kiln.torch.custom_op("t::f", lambda a: a + 1, mutates_args=(), backward=lambda ctx, grad: grad)
    assert f(4) == 5


@pytest.mark.parametrize("wrong", [lambda *_: None, lambda context, inputs, output: None, lambda ctx, inputs: None])
def test_wrong_names_are_said_at_once(torch, wrong):
    with pytest.raises(TypeError, match="name its parameters ctx, inputs, output"):
        kiln.torch.custom_op("t::f", lambda a: a, mutates_args=(), setup_context=wrong, backward=lambda ctx, grad: grad)


@pytest.mark.parametrize("right", [lambda **_: None, lambda ctx, inputs, keyword_only_inputs, output: None, dict])
def test_other_ways_to_take_the_names(torch, right):
    kiln.torch.custom_op("t::f", lambda a: a, mutates_args=(), setup_context=right, backward=lambda ctx, grad: grad)
