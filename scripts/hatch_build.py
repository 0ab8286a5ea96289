"""Build hook: the bridge jar and the lock file go into the package.

An editable install needs only the jar: it reads the lock file where git has it.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildBridge(BuildHookInterface[Any]):
    """Runs before the files of the package are collected."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        if subprocess.run([sys.executable, Path(self.root) / "scripts" / "build_bridge.py"], check=False).returncode:
            raise SystemExit(1)  # the script has said why
        build_data["artifacts"].append(f"pydl4j/_jars/pydl4j-bridge-{self.metadata.version}.jar")
        if version != "editable":
            build_data["force_include"][str(Path(self.root) / "jars" / "jars.lock")] = "pydl4j/_jars.lock"
