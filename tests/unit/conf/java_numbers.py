"""Numbers whose digits are easy to get wrong, and lists of them as Java prints them."""

import math
import random
import struct
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "golden" / "conf" / "numbers"
SAMPLE_SIZE = 3000


class Kind:
    """Java's ``double`` or ``float``."""

    def __init__(self, name: str, pack: str, integer: str, smallest: int, largest: int) -> None:
        self.name = name
        self.pack, self.integer = pack, integer
        self.bits = struct.calcsize(pack) * 8
        self.smallest, self.largest = smallest, largest  # exponents of two

    def value(self, bits: int) -> float:
        (value,) = struct.unpack(self.pack, struct.pack(self.integer, bits))
        return value

    def bits_of(self, value: float) -> int:
        (bits,) = struct.unpack(self.integer, struct.pack(self.pack, value))
        return bits

    def neighbours(self, value: float) -> list[float]:
        bits = self.bits_of(value)
        near = [self.value(max(0, bits + step)) for step in range(-2, 3)]
        return [number for number in near if math.isfinite(number)]

    def edges(self) -> list[float]:
        """Powers of two and ten with their neighbours, few digits at every power of ten, and the smallest numbers."""
        powers_of_ten = [float(f"1e{power}") for power in range(-330, 309)]
        twos = [2.0**power for power in range(self.smallest, self.largest + 1)]
        tens = [value for value in powers_of_ten if 0 < value < 2.0**self.largest]
        near = [number for value in twos + tens for number in self.neighbours(value)]
        few = [float(f"{digits}e{round(math.log10(value))}") for value in tens[:-2] for digits in (2, 3, 7, 11, 35, 99)]
        smallest = [self.value(bits) for bits in range(500)]
        return [0.0, -0.0, math.nan, math.inf, -math.inf, *near, *few, *smallest]

    def random(self, rng: random.Random) -> float:
        ways = (
            lambda: self.value(rng.getrandbits(self.bits)),
            lambda: rng.randrange(10 ** rng.randrange(1, 8)) * 10.0 ** rng.randrange(-12, 12),
            lambda: float(f"{rng.randrange(10 ** rng.randrange(1, 5))}e{rng.randrange(-12, 12)}"),
            lambda: float(rng.getrandbits(rng.randrange(1, 64))),
            lambda: rng.uniform(-1, 1) * 10.0 ** rng.randrange(-5, 30),
            lambda: rng.getrandbits(rng.randrange(1, 20)) * 2.0 ** rng.randrange(-100, 100),
        )
        return self.value(self.bits_of(rng.choice(ways)()))

    def numbers(self, seed: int, count: int) -> list[float]:
        """Edge cases and random numbers."""
        rng = random.Random(seed)
        edges = self.edges()
        return [*edges, *(self.random(rng) for _ in range(count - len(edges)))]

    def sample(self) -> list[float]:
        """A few of everything."""
        return random.Random(0).sample(self.numbers(0, 40_000), SAMPLE_SIZE)

    @property
    def path(self) -> Path:
        return SAMPLES / f"{self.name}s.txt"

    def lines(self, values: list[float], texts: list[str]) -> str:
        """What the file at `path` holds."""
        return "".join(f"{self.bits_of(value):x} {text}\n" for value, text in zip(values, texts, strict=True))


DOUBLE = Kind("double", ">d", ">Q", -1074, 1023)
FLOAT = Kind("float", ">f", ">I", -149, 127)
