"""Descriptions of tensors, and what can be shared as it lies in memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

from pydl4j.errors import DataError
from pydl4j.jvm.tensor import DTYPES, TensorDesc, borrow, shareable

BASE = np.arange(24, dtype="f4").reshape(4, 6)


@pytest.mark.parametrize(
    ("array", "order", "strides", "span"),
    [
        (BASE, "c", (6, 1), 24),
        (BASE.T, "f", (1, 6), 24),
        (BASE[:, ::2], "c", (6, 2), 23),
        (BASE[1:3, 1:4], "c", (6, 1), 9),
        (np.broadcast_to(BASE[0], (5, 6)), "c", (0, 1), 6),
        (np.full((), 7, "f4"), "c", (), 1),
        (np.empty((0, 3), "f4"), "c", None, 0),
    ],
)
def test_description(array, order, strides, span) -> None:
    desc = TensorDesc.of(array)
    assert (desc.dtype, desc.order, desc.span) == ("f4", order, span)
    if strides is not None:
        assert desc.strides == strides
        assert desc.address == array.ctypes.data


@pytest.mark.parametrize("code", sorted(DTYPES))
def test_every_dtype_goes_there_and_back_over_the_same_memory(code) -> None:
    array = np.arange(6).astype(code).reshape(2, 3)
    again = borrow(TensorDesc.of(array), array)
    assert again.dtype == array.dtype
    assert np.array_equal(again, array)
    again[1, 2] = 0
    assert array[1, 2] == 0


@given(array_shapes(min_dims=1, max_dims=4, max_side=5), st.booleans(), st.randoms(use_true_random=False))
def test_any_forward_view_is_shared_and_described_rightly(shape, fortran, random) -> None:
    array = np.arange(np.prod(shape), dtype="i8").reshape(shape, order="F" if fortran else "C")
    view = array[tuple(slice(random.randrange(n), None, random.randint(1, 2)) for n in shape)]
    assert shareable(view) is view
    assert np.array_equal(borrow(TensorDesc.of(view), view), view)


@pytest.mark.parametrize("array", [BASE[::-1], BASE.astype(">f4"), np.zeros(3, "i1,f4")["f1"]])
def test_what_java_cannot_step_through_is_copied(array) -> None:
    shared = shareable(array)
    assert not np.shares_memory(shared, array)
    assert np.array_equal(shared, array)


@pytest.mark.parametrize("array", [np.array([None]), np.array([1j]), np.array(["a"]), np.array(["2020"], "M8[Y]")])
def test_a_dtype_without_counterpart_is_refused_by_name(array) -> None:
    with pytest.raises(
        DataError, match=rf"no data type for numpy's {array.dtype}".replace("[", r"\[").replace("]", r"\]")
    ):
        shareable(array)


def test_the_owner_lives_as_long_as_a_view_of_the_view() -> None:
    class Owner:
        alive = True

        def __del__(self) -> None:
            Owner.alive = False

    memory = np.ones(4, "f4")
    view = borrow(TensorDesc.of(memory), Owner())[1:]
    assert Owner.alive
    del view
    assert not Owner.alive
