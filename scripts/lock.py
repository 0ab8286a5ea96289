"""Write jars/jars.lock: every jar that is fetched at run time, with its size and sha256.

The jars of the sets core, standalone and spark are what Maven resolves for jars/bridge/pom.xml, less what nothing of
ours reaches and what Spark brings itself; the native sets are a table. Run it after a version in jars/pom.xml changed:

    .venv/bin/python scripts/lock.py

Jars whose coordinates did not change keep the line they have, so only new ones are downloaded.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "jars" / "jars.lock"
CENTRAL = "https://repo1.maven.org/maven2"

# needed only beside Spark, and not among pyspark's own jars
SPARK = {"dl4j-spark_2.12", "datavec-spark_2.12", "nd4j-kryo_2.12", "kryo-serializers", "aeron-all"}

# needed by core, but among pyspark's own jars: fetched for a JVM without Spark only
STANDALONE = {
    "commons-codec",
    "commons-collections4",
    "commons-compress",
    "commons-io",
    "commons-lang3",
    "commons-math3",
    "flatbuffers-java",
    "joda-time",
    "slf4j-api",
}

LEFT_OUT = {
    # among pyspark's own jars, and reached only beside Spark
    **dict.fromkeys(
        ("kryo", "reflectasm", "asm", "minlog", "objenesis", "commons-collections", "stream"), "in pyspark"
    ),
    **dict.fromkeys(("gson", "opencsv", "commons-logging", "httpclient", "httpcore"), "in pyspark"),
    # reached only from what we do not call
    **dict.fromkeys(("deeplearning4j-modelimport", "hdf5", "hdf5-platform"), "Keras import"),
    **dict.fromkeys(
        ("nd4j-aeron", "nd4j-parameter-server", "nd4j-parameter-server-model", "commons-net"),
        "DL4J's own gradient sharing",
    ),
    **dict.fromkeys(
        ("nd4j-parameter-server-client", "unirest-java", "httpasyncclient", "httpcore-nio", "httpmime", "json"),
        "DL4J's own gradient sharing",
    ),
    **dict.fromkeys(("config", "jcommander"), "command lines of DL4J"),
    **dict.fromkeys(("freemarker", "t-digest"), "HTML reports, column statistics"),
    **dict.fromkeys(("oshi-json", "javax.json", "javax.activation"), "system information listeners"),
    "fastutil": "one DataVec converter and CollectScoresListener",
    "javacpp-platform": "empty",
}

# one set per build of the native engine: classifier of the engine's jars -> classifier of the libraries below it
NATIVES = {
    "linux-x86_64-onednn": "linux-x86_64",
    "linux-x86_64-onednn-avx2": "linux-x86_64",
    "linux-x86_64-onednn-avx512": "linux-x86_64",
    "linux-arm64": "linux-arm64",
    "macosx-x86_64-onednn": "macosx-x86_64",
    "macosx-arm64": "macosx-arm64",
    "windows-x86_64-onednn": "windows-x86_64",
}
ENGINE = ("nd4j-native", "nd4j-native-preset")
BELOW = ("javacpp", "openblas")

Jar = dict[str, str]


def pom_property(name: str) -> str:
    namespace = "{http://maven.apache.org/POM/4.0.0}"
    value = ET.parse(ROOT / "jars" / "pom.xml").findtext(f"{namespace}properties/{namespace}{name}")
    if value is None:
        sys.exit(f"jars/pom.xml has no property {name}")
    return value


def resolved() -> list[Jar]:
    """What Maven resolves for the bridge at run time; jars with a classifier are left to the table of natives."""
    with tempfile.NamedTemporaryFile("r") as out:
        goal = ["dependency:list", "-DincludeScope=runtime", f"-DoutputFile={out.name}"]
        subprocess.run(["mvn", "-q", "-B", "-f", ROOT / "jars" / "pom.xml", "-pl", "bridge", *goal], check=True)
        lines = [line.strip().split(" ")[0].split(":") for line in out]
    return [
        {"group": parts[0], "artifact": parts[1], "version": parts[3]}
        for parts in lines
        if len(parts) == 5  # group:artifact:jar:version:scope
    ]


def sets() -> dict[str, list[Jar]]:
    jars = [jar for jar in resolved() if jar["artifact"] not in LEFT_OUT]
    by_name = {jar["artifact"]: jar for jar in jars}
    slf4j = {"group": "org.slf4j", "version": pom_property("slf4j.version")}
    by_name["slf4j-api"].update(slf4j)
    logger = {"group": "org.slf4j", "artifact": "slf4j-simple", "version": slf4j["version"]}
    result = {
        "core": [jar for jar in jars if jar["artifact"] not in SPARK | STANDALONE],
        "standalone": [*(jar for jar in jars if jar["artifact"] in STANDALONE), logger],
        "spark": [jar for jar in jars if jar["artifact"] in SPARK],
    }
    for engine, below in NATIVES.items():
        result[engine] = [by_name[name] | {"classifier": below} for name in BELOW]
        result[engine] += [by_name[name] | {"classifier": engine} for name in ENGINE]
    return result


def url(jar: Jar) -> str:
    group, artifact, version = jar["group"].replace(".", "/"), jar["artifact"], jar["version"]
    classifier = f"-{jar['classifier']}" if "classifier" in jar else ""
    return f"{CENTRAL}/{group}/{artifact}/{version}/{artifact}-{version}{classifier}.jar"


def measure(jar: Jar) -> dict[str, object]:
    """The jar with size and sha256 of what Maven Central serves, checked against the sha1 published beside it."""
    print("reading", url(jar), flush=True)
    sha1, sha256, size = hashlib.sha1(), hashlib.sha256(), 0
    with requests.get(url(jar), stream=True, timeout=60) as response:
        response.raise_for_status()
        for chunk in response.iter_content(1 << 20):
            sha1.update(chunk)
            sha256.update(chunk)
            size += len(chunk)
    published = requests.get(url(jar) + ".sha1", timeout=60)
    published.raise_for_status()
    if published.text.split()[0] != sha1.hexdigest():
        sys.exit(f"{url(jar)}: sha1 is {sha1.hexdigest()}, published {published.text.split()[0]}")
    return {**jar, "size": size, "sha256": sha256.hexdigest()}


def write(lock: dict[str, list[dict[str, object]]]) -> None:
    """One jar per line, so that a change of version is a change of one line."""
    blocks = []
    for name, jars in lock.items():
        lines = ",\n".join(f"    {json.dumps(jar)}" for jar in jars)
        blocks.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    LOCK.write_text("{\n" + ",\n".join(blocks) + "\n}\n")


def main() -> None:
    known: dict[str, dict[str, object]] = {}
    if LOCK.exists():
        known = {url(jar): jar for jars in json.loads(LOCK.read_text()).values() for jar in jars}
    lock: dict[str, list[dict[str, object]]] = {}
    for name, jars in sets().items():
        lock[name] = []
        for jar in sorted(jars, key=lambda jar: (jar["group"], jar["artifact"])):
            known.setdefault(url(jar), {})
            known[url(jar)] = known[url(jar)] or measure(jar)
            lock[name].append(known[url(jar)])
    write(lock)
    for name, entries in lock.items():
        print(f"{name:30} {len(entries):3} jars {sum(int(str(jar['size'])) for jar in entries) / 1e6:7.1f} MB")


if __name__ == "__main__":
    main()
