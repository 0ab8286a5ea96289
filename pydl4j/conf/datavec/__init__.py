"""DataVec's schemas and transform processes as frozen data, read and written as DataVec's own JSON."""

from pydl4j.conf.datavec.action import *
from pydl4j.conf.datavec.conditions import *
from pydl4j.conf.datavec.filters import *
from pydl4j.conf.datavec.metadata import *
from pydl4j.conf.datavec.process import *
from pydl4j.conf.datavec.reducer import *
from pydl4j.conf.datavec.schema import *
from pydl4j.conf.datavec.sequence import *
from pydl4j.conf.datavec.transforms import *
from pydl4j.conf.datavec.unreadable import *
from pydl4j.conf.datavec.writables import *
