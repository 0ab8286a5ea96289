"""Measure pydl4j: ratios within one run, beside the machine's load. Start it with scripts/bench.

Candidates of a ratio take turns, and medians are compared; goals are printed and never asserted, since they are meant for a quiet machine.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import peers
from arrays import hand_off, python_and_java
from common import images
from fits import fits_in_driver, fits_on_cluster
from frames import frames, kryo
from minibatches import KINDS, engine, time_minibatch, workers
from sessions import compile_classes
from start import configurations, start_up

import pydl4j as dl

# each part in a process of its own: none finds a JVM that another has warmed
SECTIONS = {
    "start_up": (start_up,),
    "configurations": (configurations,),
    "hand_off": (hand_off,),
    "engine": (engine,),
    "workers": (workers,),
    "python_and_java": (python_and_java,),
    "spark": (kryo, frames, fits_in_driver, fits_on_cluster),
}
PARTS = {part.__name__: part for parts in SECTIONS.values() for part in parts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sections",
        nargs="*",
        help=f"what to measure; without any: {', '.join(SECTIONS)}. By name only: peers, other libraries on the same job",
    )
    parser.add_argument(
        "--mnist", type=Path, help="a folder with MNIST's t10k files; without it accuracies mean nothing"
    )
    parser.add_argument("--install", action="store_true", help="with peers: install those that are missing, 9 GB")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--minibatch", choices=KINDS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.minibatch:
        time_minibatch(arguments.minibatch)
        return
    if arguments.part:
        PARTS[arguments.part](images(arguments.mnist))
        return
    unknown = set(arguments.sections) - {*SECTIONS, "peers"}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; expected some of: {', '.join(SECTIONS)}, peers")
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, pydl4j {dl.__version__}", flush=True)
    for name in arguments.sections or SECTIONS:
        if name == "peers":
            peers.run(images(arguments.mnist), install=arguments.install)
        else:
            run_parts(name, arguments.mnist)


def run_parts(section: str, mnist: Path | None) -> None:
    if section == "spark":
        compile_classes()
    given = ["--mnist", str(mnist)] if mnist else []
    for part in SECTIONS[section]:
        subprocess.run([sys.executable, Path(__file__).parent, "--part", part.__name__, *given], check=True)


if __name__ == "__main__":
    main()
