"""DL4J's model zoo: the configurations of ``deeplearning4j-zoo``, each a function of the number of classes.

Everything else is changed on the result: ``zoo.LeNet(num_classes=10).replace(updater="adam")``.
"""

from pydl4j.conf.zoo.classic import *
from pydl4j.conf.zoo.darknet import *
from pydl4j.conf.zoo.facenet import *
from pydl4j.conf.zoo.inception_resnet import *
from pydl4j.conf.zoo.nasnet import *
from pydl4j.conf.zoo.resnet import *
from pydl4j.conf.zoo.squeezenet import *
from pydl4j.conf.zoo.unet import *
from pydl4j.conf.zoo.vgg import *
from pydl4j.conf.zoo.xception import *
