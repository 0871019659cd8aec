"""Generates a city in the schema of OpenMapTiles, the same each time. usage: data.py DIR

Writes DIR/LAYER.geojsonl, one feature a line; each has the member `tippecanoe` with its layer and first zoom.
"""
import json
import math
import os
import random
import sys

import streets

FIRST_NAMES = "Amber Birch Cedar Dale Elm Fern Grove Hazel Iris Juniper Linden Maple North Oak Pine Quarry River Stone Tower Vale".split()
LAST_NAMES = "Bank Bridge Court Field Gate Hill Mill Park Ridge Square Well Wharf".split()
KINDS = {"motorway": "Freeway", "trunk": "Highway", "primary": "Avenue", "secondary": "Road", "tertiary": "Road",
         "minor": "Street", "service": "Yard", "path": "Walk"}
FIRST_ZOOMS = {"motorway": 4, "trunk": 6, "primary": 8, "secondary": 9, "tertiary": 11, "minor": 12, "service": 13, "path": 13}
POIS = ("shop", "restaurant", "cafe", "bank", "school", "hospital", "pharmacy", "library", "bus", "railway", "parking", "museum")
# shares of what a block is used for, in the middle of the city and outside
USES = (
    ("residential", 60, 12), ("commercial", 12, 2), ("retail", 6, 1), ("industrial", 3, 6), ("park", 6, 3), ("school", 4, 1),
    ("hospital", 1, 0.3), ("cemetery", 1, 1), ("stadium", 1, 0.4), ("wood", 2, 22), ("grass", 3, 16), ("farmland", 0, 38),
    ("wetland", 0, 3), ("lake", 1, 3))
BUILT = {"residential", "commercial", "retail", "industrial", "school", "hospital"}


class City:
    """The features of the city by layer."""

    def __init__(self):
        self.random = random.Random(37)
        self.layers = {}
        self.streets, self.blocks = streets.plan(self.random)

    def add(self, layer, first_zoom, kind, coordinates, **properties):
        feature = {
            "type": "Feature", "tippecanoe": {"layer": layer, "minzoom": first_zoom},
            "properties": properties, "geometry": {"type": kind, "coordinates": coordinates}}
        self.layers.setdefault(layer, []).append(feature)

    def name(self):
        return f"{self.random.choice(FIRST_NAMES)} {self.random.choice(LAST_NAMES)}"

    # MARK: what the city has

    def make(self):
        self.make_streets()
        for number, block in enumerate(self.blocks):
            self.make_block(number, block)
        self.make_water()
        self.make_rails()
        self.make_airport()
        self.make_boundaries()
        self.make_places()
        return self.layers

    def make_streets(self):
        for number, street in enumerate(self.streets):
            name = f"{self.name()} {KINDS[street.kind]}"
            ref = {"motorway": f"A {number % 90 + 1}", "trunk": f"B {number % 400 + 1}", "primary": f"L {number + 1}"}.get(street.kind)
            length = math.dist(*street.ends)
            pieces = max(1, round(length / 900))
            (ax, ay), (bx, by) = street.ends
            zoom = FIRST_ZOOMS[street.kind]
            for piece in range(pieces):
                ends = [(ax + (bx - ax) * i / pieces, ay + (by - ay) * i / pieces) for i in (piece, piece + 1)]
                line = streets.path(ends)
                more = {}
                if street.kind not in ("service", "path") and self.random.random() < 0.04:
                    more["brunnel"] = self.random.choice(("bridge", "tunnel"))
                if self.random.random() < 0.2:
                    more["oneway"] = 1
                self.add("transportation", zoom, "LineString", line, **{"class": street.kind}, **more)
            more = {"ref": ref, "ref_length": len(ref), "network": "road"} if ref else {}
            self.add("transportation_name", max(zoom, 10), "LineString", streets.path(street.ends),
                     **{"class": street.kind}, name=name, **more)

    def make_block(self, number, block):
        distance = math.hypot(*block.middle) / streets.HALF
        use = self.random.choices([use[0] for use in USES], [a + (b - a) * min(1, distance * 1.3) for _, a, b in USES])[0]
        lot = block.inset(9)
        if min(lot.size) < 20:
            return
        rings = [streets.rectangle(lot)]
        if use in ("wood", "grass", "farmland", "wetland"):
            self.add("landcover", 9, "Polygon", rings, **{"class": use, "subclass": use})
        elif use == "park":
            self.add("park", 10, "Polygon", rings, **{"class": "public_park"}, name=f"{self.name()} Park")
        elif use == "lake":
            self.make_lake(lot)
        else:
            self.add("landuse", 9, "Polygon", rings, **{"class": use})
        if use in BUILT:
            self.make_buildings(lot, use)
        elif self.random.random() < 0.2:
            self.make_poi(block.middle, number, "park")

    def make_lake(self, lot):
        (x, y), (width, height) = lot.middle, lot.size
        shore = []
        for i in range(24):
            angle, radius = i / 24 * 2 * math.pi, self.random.uniform(0.34, 0.48)
            shore.append((x + width * radius * math.cos(angle), y + height * radius * math.sin(angle)))
        self.add("water", 8, "Polygon", [streets.ring(shore)], **{"class": "lake"})
        self.add("water_name", 12, "Point", streets.degrees((x, y)), **{"class": "lake"}, name=f"{self.name()} Water")

    def make_buildings(self, lot, use):
        """Rows of houses along the longer sides of a lot."""
        width, height = lot.size
        depth = min(16, height / 3) if width >= height else min(16, width / 3)
        long_side = max(width, height)
        houses = max(1, int(long_side / (42 if use == "industrial" else 22)))
        for row in (0, 1):
            for house in range(min(houses, 16)):
                if self.random.random() < 0.12:
                    continue
                a = 4 + (long_side - 8) * house / houses
                b = a + (long_side - 8) / houses * self.random.uniform(0.6, 1)
                c = 3 + self.random.uniform(0, 4)
                d = c + depth * self.random.uniform(0.7, 1)
                side = min(width, height)
                c, d = (c, d) if row == 0 else (side - d, side - c)
                self.make_house(lot, (a, c, b, d), width >= height, use)

    def make_house(self, lot, place, lies, use):
        a, c, b, d = place
        corners = [(a, c), (b, c), (b, d), (a, d)]
        if self.random.random() < 0.3:  # a wing is missing
            corners = [(a, c), (b, c), (b, (c + d) / 2), ((a + b) / 2, (c + d) / 2), ((a + b) / 2, d), (a, d)]
        corners = [(lot.left + (p if lies else q), lot.top + (q if lies else p)) for p, q in corners]
        self.add("building", 13, "Polygon", [streets.ring(corners)], render_height=self.random.randint(4, 30), render_min_height=0)
        number = self.random.randint(1, 200)
        middle = ((corners[0][0] + corners[2][0]) / 2, (corners[0][1] + corners[2][1]) / 2)
        if self.random.random() < 0.15:
            self.add("housenumber", 14, "Point", streets.degrees(middle), housenumber=str(number))
        if self.random.random() < (0.3 if use in ("commercial", "retail") else 0.04):
            self.make_poi(middle, number)

    def make_poi(self, place, rank, kind=None):
        kind = kind or self.random.choice(POIS)
        self.add("poi", 14 if rank % 7 else 12, "Point", streets.degrees(place),
                 **{"class": kind, "subclass": kind}, rank=rank % 40 + 1, name=self.name())

    def make_water(self):
        half, middle = streets.HALF * 1.02, lambda x: 1800 * math.sin(x / 4200) + 700 * math.sin(x / 1500)
        xs = [-half + i * half / 120 for i in range(241)]
        shores = [[(x, middle(x) + side * (130 + 50 * math.sin(x / 2000))) for x in xs] for side in (-1, 1)]
        self.add("water", 0, "Polygon", [streets.ring(shores[0] + shores[1][::-1])], **{"class": "river"})
        self.add("waterway", 8, "LineString", streets.path([(x, middle(x)) for x in xs]), **{"class": "river"}, name="Amber River")
        for number in range(60):
            x, y = self.random.uniform(-half, half), self.random.uniform(-half, half)
            line = [(x, y)]
            for _ in range(self.random.randint(6, 30)):
                x, y = x + self.random.uniform(-90, 160), y + self.random.uniform(-60, 130)
                line.append((x, y))
            kind = ("stream", "canal", "drain")[number % 3]
            more = {"brunnel": "tunnel"} if number % 10 == 0 else {}
            self.add("waterway", 12, "LineString", streets.path(line, 30), **{"class": kind}, name=f"{self.name()} Brook", **more)

    def make_rails(self):
        half = streets.HALF
        for number in range(8):
            angle = number / 8 * math.pi
            for track in (-8, 8):
                ends = [(sign * half * math.cos(angle) - track * math.sin(angle), sign * half * math.sin(angle) + track * math.cos(angle))
                        for sign in (-1, -0.5, 0, 0.5, 1)]
                kind = ("rail", "transit")[number % 2]
                for a, b in zip(ends, ends[1:]):
                    self.add("transportation", 9 if kind == "rail" else 12, "LineString", streets.path([a, b]), **{"class": kind, "subclass": kind})

    def make_airport(self):
        x, y = 7000, -7400
        area = streets.Block(x - 1500, y - 500, x + 1500, y + 500)
        self.add("aeroway", 10, "Polygon", [streets.rectangle(area)], **{"class": "aerodrome"})
        for offset in (-250, 250):
            self.add("aeroway", 10, "LineString", streets.path([(x - 1400, y + offset), (x + 1400, y + offset)]), **{"class": "runway"}, ref="09")
        for step in range(-12, 13):
            self.add("aeroway", 12, "LineString", streets.path([(x + step * 100, y - 250), (x + step * 100, y + 250)]), **{"class": "taxiway"})
        self.add("aerodrome_label", 10, "Point", streets.degrees((x, y)), **{"class": "international"}, name="Quarry Field Airport", iata="QFA")

    def make_boundaries(self):
        half = streets.HALF
        for number in range(14):
            level = (2, 4, 6, 8)[number % 4]
            at = (number - 6.5) * half / 7
            line = [(at + 300 * math.sin(y / 700 + number), y) for y in (-half + i * half / 40 for i in range(81))]
            self.add("boundary", {2: 0, 4: 3, 6: 8, 8: 11}[level], "LineString", streets.path(line), admin_level=level, disputed=0, maritime=0)

    def make_places(self):
        self.add("place", 2, "Point", streets.degrees((0, 0)), **{"class": "city"}, name="Quadrille City", rank=3, capital=4)
        self.add("place", 0, "Point", streets.degrees((4000, 9000)), **{"class": "country"}, name="Cartesia", rank=2)
        self.add("place", 3, "Point", streets.degrees((-5000, 8000)), **{"class": "state"}, name="North Ordinate", rank=3)
        for kind, count, zoom in (("town", 12, 7), ("village", 40, 9), ("suburb", 60, 11), ("neighbourhood", 160, 13), ("hamlet", 60, 12)):
            for number in range(count):
                half = streets.HALF * (0.5 if kind in ("suburb", "neighbourhood") else 0.95)
                place = self.random.uniform(-half, half), self.random.uniform(-half, half)
                self.add("place", zoom, "Point", streets.degrees(place), **{"class": kind}, name=self.name(), rank=number % 20 + 1)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for layer, features in City().make().items():
        with open(f"{folder}/{layer}.geojsonl", "w", encoding="utf-8") as file:
            for feature in features:
                file.write(json.dumps(feature, separators=(",", ":")) + "\n")
        print(f"{layer}: {len(features)}")


if __name__ == "__main__":
    main()
