"""DL4J's model zoo, as configurations."""

from pydl4j.conf.zoo import *
