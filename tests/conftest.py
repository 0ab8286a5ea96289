"""What the tests of several folders use."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def spark_home(tmp_path_factory) -> Path:
    """A SPARK_HOME of links, so that clusters do not write into site-packages."""
    import pyspark

    home = tmp_path_factory.mktemp("spark-home")
    for name in ("bin", "jars", "python", "sbin"):
        (home / name).symlink_to(Path(pyspark.__file__).parent / name)
    (home / "conf").mkdir()
    (home / "RELEASE").write_text("for tests\n")
    return home
