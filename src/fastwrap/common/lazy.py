"""Properties that are computed when they are first asked for, and then kept: those of `fastwrap._core.common.lazy`.

>>> class Circle:
...     @lazy_property
...     def area(self) -> float:
...         print("computed")
...         return 3.14
>>> circle = Circle()
>>> circle.area, circle.area
computed
(3.14, 3.14)
"""

from fastwrap._core.common.lazy import lazy_property

__all__ = ["lazy_property"]
