"""Numbers that Java keeps in other types than Python."""

__all__ = ["Float32"]


class Float32(float):
    """A Java ``float``: in documents it is written with the digits of ``Float.toString``."""

    __slots__ = ()
