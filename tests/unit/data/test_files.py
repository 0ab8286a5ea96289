from pathlib import Path

import pytest

from pydl4j.data.files import replacing


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "model.zip", tmp_path / "latest.zip"
    target.write_text("old")
    link.symlink_to(target)
    with replacing(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError, match=rf"no such directory to write a file in: '{tmp_path}/none'"),
        replacing(tmp_path / "none" / "model.zip"),
    ):
        pytest.fail("nothing to write to")


def test_permissions_follow_the_umask_for_a_new_file(tmp_path: Path) -> None:
    with replacing(tmp_path / "a") as temporary:
        temporary.write_text("")
    plain = tmp_path / "b"
    plain.touch()
    assert (tmp_path / "a").stat().st_mode == plain.stat().st_mode
