# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oracles of published heuristics for the travelling salesman. The cities are random; all lengths follow from them."""

import itertools
import math
import re

from .outputs import near, numbers, require
from .registry import oracle

FOLDER = "rlinfati/julia-examples/10 - MSC-heur"
LEAST = 2**-10  # eps(Float16): a smaller gain is none
LENGTH = re.compile(r"tspDist\(dist, tour2?\) = (.*)")
SUM = re.compile(r"sum\(\(dist\[tour\[i\], tour\[i \+ 1\]\] for i = 1:n\)\) = (.*)")


class Map:
    """The cities that a program drew, and the length of closed tours through them."""

    def __init__(self, output):
        require(output.status == 0, f"status {output.status}")
        self.cities = [tuple(numbers(line)) for line in output.values("city")]
        require(len(set(self.cities)) == 10, f"{len(set(self.cities))} cities, not 10")
        require(all(0 <= part < 1000 for city in self.cities for part in city), "a city is outside of the square")
        self.drawn = self.tour(output.value("tour"))

    def tour(self, line):
        found = numbers(line)
        require(sorted(found[:-1]) == list(range(1, 11)) and found[0] == found[-1], f"{line} is not a closed tour")
        return found

    def distance(self, one, other):
        return math.dist(self.cities[one - 1], self.cities[other - 1])

    def length(self, tour):
        return sum(map(self.distance, tour, tour[1:]))

    def check(self, line, pattern, tour):
        match = pattern.fullmatch(line)
        require(match, f"`{line}` does not match {pattern.pattern}")
        near(float(match[1]), self.length(tour), 1e-12, "length")


def swapped(tour, i, j):
    made = list(tour)
    made[i], made[j] = made[j], made[i]
    return made


def inserted(tour, i, j):
    """Moves entry i before entry j."""
    made = tour[:i] + tour[i + 1 :]
    return made[: j - 1] + [tour[i]] + made[j - 1 :]


def turned(tour, i, j):
    return tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]


def moves(tour, kind):
    """Yields the neighbours of a tour in the order of both loops; its ends stay."""
    last = len(tour) - 1
    gap, most = {swapped: (2, last), inserted: (2, last + 1), turned: (1, last)}[kind]
    for i in range(1, last - 1):
        for j in range(i + gap, most):
            yield kind(tour, i, j)


def better(cities, tour, kind):
    return (made for made in moves(tour, kind) if cities.length(made) < cities.length(tour) - LEAST)


def beginning(output):
    """Checks the lines of the first tour. Returns the map, the lines, and the tour."""
    cities = Map(output)
    lines = [line for line in output.lines if not line.startswith(">")]
    tour = cities.tour(lines[0].removeprefix("tour = "))
    cities.check(lines[1], SUM, tour)
    cities.check(lines[2], LENGTH, tour)
    return cities, lines, tour


def local_search(name, kind):
    @oracle(f"{FOLDER}/50 - TSP-localsearch/{name}.jl", "tours")
    def check(output):
        cities, lines, tour = beginning(output)
        for line in lines[3:-1]:
            text, _, found = line.removeprefix("(newtourz, newtour) = (").partition(", ")
            expected = next(better(cities, tour, kind), None)  # the first gain is taken
            require(cities.tour(found) == expected, f"{found} after {tour}, not {expected}")
            tour = expected
            near(float(text), cities.length(tour), 1e-12, "length")
        require(next(better(cities, tour, kind), None) is None, f"{tour} has a better neighbour")
        cities.check(lines[-1], LENGTH, tour)
        require(cities.drawn == tour, f"drawn {cities.drawn}, not {tour}")


local_search("21 - ls-swap", swapped)
local_search("22 - ls-ins", inserted)
local_search("23 - ls-2opt", turned)


def ends_of_search(output):
    """Checks the first and the last tour, and returns the map with the names of the steps."""
    cities, lines, first = beginning(output)
    cities.check(lines[3], LENGTH, cities.drawn)
    require(len(lines) == 4, f"{len(lines)} lines")
    header, *names = output.file("tsp-plot-fn.txt").splitlines()
    require(re.findall(r'"(\w+)"', header) == names and names[0] == "base", f"names {header}")
    return cities, first, names[1:]


KINDS = {"tspIns": inserted, "tspSwap": swapped, "tsp2Opt": turned}


@oracle(f"{FOLDER}/60 - TSP-sa-ts-vns/21 - VNS.jl", "tours")
def neighbourhoods(output):
    cities, tour, names = ends_of_search(output)
    for name in names:
        for kind in itertools.takewhile(lambda kind: kind != KINDS[name], KINDS.values()):
            require(next(better(cities, tour, kind), None) is None, f"{kind.__name__} improves {tour}")
        tour = min(better(cities, tour, KINDS[name]), key=cities.length)  # the largest gain is taken
    require(cities.drawn == tour, f"drawn {cities.drawn}, not {tour}")
    require(not any(any(better(cities, tour, kind)) for kind in KINDS.values()), f"{tour} has a better neighbour")


@oracle(f"{FOLDER}/50 - TSP-localsearch/23 - ls-ALL.jl", "tours")
def first_gains(output):
    cities, tour, names = ends_of_search(output)
    for name in names:
        kind = next(kind for kind in KINDS.values() if any(better(cities, tour, kind)))
        require(kind == KINDS[name], f"{name} improves {tour}, after {kind.__name__}")
        tour = next(better(cities, tour, kind))
    require(cities.drawn == tour, f"drawn {cities.drawn}, not {tour}")
    require(not any(any(better(cities, tour, kind)) for kind in KINDS.values()), f"{tour} has a better neighbour")


@oracle(f"{FOLDER}/60 - TSP-sa-ts-vns/22 - SA.jl", "tours")
def annealing(output):
    cities, first, names = ends_of_search(output)
    require(len(names) == 500 and set(names) == {"tspInsSA", "tspSwapSA", "tsp2OptSA"}, f"{len(names)} steps")
    require(cities.length(cities.drawn) <= cities.length(first), "the best tour is longer than the first")
    require(cities.length(cities.drawn) < 1.5 * shortest(cities), "500 steps leave more than 1.5 of the shortest tour")


def shortest(cities):
    """Returns the length of the shortest tour: dynamic programming over sets of cities."""
    ends = {(frozenset([city]), city): cities.distance(1, city) for city in range(2, 11)}
    for _ in range(8):
        longer = {}
        for (seen, last), length in ends.items():
            for city in set(range(2, 11)) - seen:
                key = (seen | {city}, city)
                longer[key] = min(longer.get(key, math.inf), length + cities.distance(last, city))
        ends = longer
    return min(length + cities.distance(last, 1) for (_, last), length in ends.items())


def shown_tour(output):
    """Checks `tour = ...` and its length, and returns the map and the tour."""
    cities = Map(output)
    lines = [line for line in output.lines if not line.startswith(">")]
    tour = cities.tour(lines[0].removeprefix("tour = "))
    cities.check(lines[1], SUM, tour)
    require(len(lines) == 2 and cities.drawn == tour, f"drawn {cities.drawn}, not {tour}")
    return cities, tour


@oracle(f"{FOLDER}/40 - TSP-heur/21 - heur - NN.jl", "tours")
def nearest_neighbour(output):
    cities, tour = shown_tour(output)
    for at in range(9):
        rest = tour[at + 1 : 10]
        nearest = min(rest, key=lambda city: cities.distance(tour[at], city))
        require(rest[0] == nearest, f"{rest[0]} follows {tour[at]}, not {nearest}")


@oracle(f"{FOLDER}/40 - TSP-heur/22 - heur - CI.jl", "tours")
def cheapest_insertion(output):
    cities, tour = shown_tour(output)
    made = [tour[0], tour[0]]
    while len(made) < 11:
        choices = [made[:at] + [city] + made[at:] for city in set(tour) - set(made) for at in range(1, len(made))]
        made = min(choices, key=cities.length)
    require(tour == made, f"tour {tour}, not {made}")


def savings(cities, hub):
    pairs = itertools.combinations(range(1, 11), 2)
    gain = {pair: sum(cities.distance(hub, city) for city in pair) - cities.distance(*pair) for pair in pairs}
    return sorted(gain, key=gain.get, reverse=True)


@oracle(f"{FOLDER}/40 - TSP-heur/23 - heur - CWs.jl", "tours")
def sequential_savings(output):
    cities, tour = shown_tour(output)
    hub, pairs = tour[0], savings(cities, tour[0])
    made = list(pairs[0])
    while len(made) < 9:
        pair = next(pair for pair in pairs if hub not in pair and len(set(pair) & set(made)) == 1 and set(pair) & {made[0], made[-1]})  # fmt: skip
        new = (set(pair) - set(made)).pop()
        made = [new] + made if made[0] in pair else made + [new]
    require(tour == [hub] + made + [hub], f"tour {tour}, not by the largest savings from {hub}")


@oracle(f"{FOLDER}/40 - TSP-heur/23 - heur - CWp.jl", "tours")
def parallel_savings(output):
    cities, tour = shown_tour(output)
    require(cities.length(tour) < 1.5 * shortest(cities), "savings leave more than 1.5 of the shortest tour")


@oracle(f"{FOLDER}/70 - TSP-ga/21 - ga.jl", "tours")
@oracle(f"{FOLDER}/80 - TSP-aco/21 - aco.jl", "tours")
def population(output):
    cities = Map(output)
    lines = [line for line in output.lines if not line.startswith(">")]
    require(len(lines) == 1, f"{len(lines)} lines")
    cities.check(lines[0], LENGTH, cities.drawn)
    require(
        cities.length(cities.drawn) < 1.2 * shortest(cities), "the search leaves more than 1.2 of the shortest tour"
    )
