"""Random networks: Python and DL4J write the same bytes, or both refuse. (CI: the same 100 of each; nightly: 2,000.)"""

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from random_networks import graphs, stacks
from reference import assert_agreement

SLOW = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
}


@settings(max_examples=100, derandomize=True, **SLOW)
@given(stacks())
def test_random_stacks_agree(conf):
    assert_agreement([conf])


@settings(max_examples=100, derandomize=True, **SLOW)
@given(graphs())
def test_random_graphs_agree(conf):
    assert_agreement([conf])


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@seed(20220814)
@settings(max_examples=2000, database=None, **SLOW)
@given(stacks())
def test_many_random_stacks_agree(conf):
    assert_agreement([conf])


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@seed(20220814)
@settings(max_examples=2000, database=None, **SLOW)
@given(graphs())
def test_many_random_graphs_agree(conf):
    assert_agreement([conf])
