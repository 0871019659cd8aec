"use strict";
// Named places: their names on the ground, and the one nearest to the middle of the map.
(() => {
  const { element, map, color } = quadrille;
  let places = []; // {name, country, lng, lat, x, y, people, from: first zoom, to: last zoom, isCountry}
  const placed = new Map(); // zoom: the names that find room

  /// The zoom from which a city is named, by its people in thousands.
  const zoomOf = (people) => [[12000, 3], [5000, 4], [1800, 5], [500, 6], [120, 7]].find(([least]) => people >= least)?.[1] || 8;

  /// What stands on the map: a name that is told apart by its land stands there without it.
  const short = (name) => name.replace(/ in \p{Lu}.*$/u, "");

  quadrille.readPlaces = (lines, place) => {
    places = lines.flatMap((line) => {
      const [head, rest] = line.split(": ");
      const [country, at, from] = head.split("|");
      const [lng, lat] = at.split(",").map(Number);
      const [x, y] = place(lng, lat);
      const own = { name: country, country, lng, lat, x, y, people: 0, from: Number(from), to: Number(from) + 3, isCountry: true };
      return [own, ...rest.split("; ").map((text) => {
        const words = text.split(" ");
        const people = Number(words.pop());
        const [east, north] = words.pop().split(",").map(Number);
        const [left, top] = place(east, north);
        return { name: short(words.join(" ")), country, lng: east, lat: north, x: left, y: top, people, from: zoomOf(people), to: 22, isCountry: false };
      })];
    }).sort((a, b) => (a.isCountry === b.isCountry ? (a.isCountry ? a.from - b.from : b.people - a.people) : (a.isCountry ? -1 : 1)));
    tellNear();
  };

  const fontOf = (one) => (one.isCountry ? "600 12px system-ui, DejaVu Sans, sans-serif" : "11px system-ui, DejaVu Sans, sans-serif");
  const ruler = document.createElement("canvas").getContext("2d");

  /// The names that find room at a zoom, with their boxes in px of the world; the more important come first.
  const namesAt = (zoom) => {
    if (placed.has(zoom)) return placed.get(zoom);
    const world = 256 * 2 ** zoom;
    const found = [];
    for (const one of places) {
      if (zoom < one.from || zoom > one.to) continue;
      ruler.font = fontOf(one);
      const width = ruler.measureText(one.name).width;
      const [x, y] = [one.x * world, one.y * world];
      const left = one.isCountry ? x - width / 2 : x - 4;
      const box = { left, right: left + width + (one.isCountry ? 0 : 10), top: y - 9, bottom: y + 9 };
      const isTaken = found.some(({ box: other }) => box.left < other.right + 6 && other.left < box.right + 6
        && box.top < other.bottom && other.top < box.bottom);
      if (!isTaken) found.push({ one, box, x, y });
    }
    placed.set(zoom, found);
    return found;
  };

  /// Draws the names of a tile, also those that begin in a tile beside it or on the next copy of the world.
  quadrille.drawNames = (context, coords) => {
    const world = 256 * 2 ** coords.z;
    const [west, north] = [coords.x * 256, coords.y * 256];
    context.lineJoin = "round";
    context.textBaseline = "middle";
    for (const { one, box, x, y } of namesAt(coords.z)) {
      if (box.bottom < north || box.top > north + 256) continue;
      for (const shift of [-world, 0, world]) {
        if (box.right + shift < west || box.left + shift > west + 256) continue;
        const [across, down] = [x + shift - west, y - north];
        context.font = fontOf(one);
        context.textAlign = one.isCountry ? "center" : "left";
        const at = one.isCountry ? across : across + 6;
        context.lineWidth = 3;
        context.strokeStyle = color("--land");
        context.strokeText(one.name, at, down);
        context.fillStyle = color(one.isCountry ? "--country" : "--place");
        context.fillText(one.name, at, down);
        if (one.isCountry) continue;
        context.beginPath();
        context.arc(across, down, 2, 0, 2 * Math.PI);
        context.fill();
      }
    }
  };

  const radians = (degrees) => (degrees * Math.PI) / 180;
  const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

  /// Kilometres from a place to a position, on a sphere.
  const distance = (one, lat, lng) => {
    const half = Math.sin(radians(lat - one.lat) / 2) ** 2
      + Math.cos(radians(lat)) * Math.cos(radians(one.lat)) * Math.sin(radians(lng - one.lng) / 2) ** 2;
    return 12742 * Math.asin(Math.min(1, Math.sqrt(half)));
  };

  /// Where a position is, such as `12 km north-east of Lyon, France`; nothing where no places are known.
  quadrille.near = (lat, lng) => {
    let best = null;
    for (const one of places) {
      if (one.isCountry) continue;
      const far = distance(one, lat, lng);
      if (best === null || far < best.far) best = { one, far };
    }
    if (best === null) return "";
    const { one, far } = best;
    const name = one.name === one.country ? one.name : `${one.name}, ${one.country}`;
    if (far < 3) return `In ${name}`;
    const east = Math.sin(radians(lng - one.lng)) * Math.cos(radians(lat));
    const north = Math.cos(radians(one.lat)) * Math.sin(radians(lat))
      - Math.sin(radians(one.lat)) * Math.cos(radians(lat)) * Math.cos(radians(lng - one.lng));
    const wind = winds[Math.round((Math.atan2(east, north) * 4) / Math.PI + 8) % 8];
    const kilometres = far < 20 ? Math.round(far) : Math.round(far / 5) * 5;
    return `${kilometres.toLocaleString("en")} km ${wind} of ${name}`;
  };

  const tellNear = () => {
    const center = map.getCenter().wrap();
    element("near").textContent = quadrille.near(center.lat, center.lng);
  };
  map.on("moveend", tellNear);
})();
