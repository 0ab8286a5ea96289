"""The version of the package and of the bridge jar; ``jars/pom.xml`` carries the same and a test compares the two."""

__version__ = "0.1.0"
