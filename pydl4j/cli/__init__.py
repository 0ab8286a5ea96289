"""The command line: ``pydl4j jars ...``."""
