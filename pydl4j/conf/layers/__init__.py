"""Layers by kind."""

from pydl4j.conf.layers.attention import *
from pydl4j.conf.layers.autoencoder import *
from pydl4j.conf.layers.base import *
from pydl4j.conf.layers.capsules import *
from pydl4j.conf.layers.cnn_output import *
from pydl4j.conf.layers.convolution import *
from pydl4j.conf.layers.convolution1d import *
from pydl4j.conf.layers.convolution3d import *
from pydl4j.conf.layers.custom import *
from pydl4j.conf.layers.embedding import *
from pydl4j.conf.layers.feedforward import *
from pydl4j.conf.layers.locally_connected import *
from pydl4j.conf.layers.normalization import *
from pydl4j.conf.layers.output import *
from pydl4j.conf.layers.padding import *
from pydl4j.conf.layers.pooling import *
from pydl4j.conf.layers.recurrent import *
from pydl4j.conf.layers.samediff import *
from pydl4j.conf.layers.upsampling import *
from pydl4j.conf.layers.variational import *
from pydl4j.conf.layers.wrappers import *
