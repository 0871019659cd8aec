"use strict";
// Named places: the one nearest to the middle of the map, and those that the search finds.
(() => {
  const { element, map } = quadrille;
  let places = []; // {name, country, lng, lat, x, y, people, from: first zoom, to: last zoom, isCountry}

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
    quadrille.places = places;
    tellNear();
  };
  quadrille.places = places;

  /// The places whose names begin with a text, the more important first; the world is one of them.
  quadrille.placesNamed = (text, limit) => {
    const found = places.filter((one) => one.name.toLowerCase().startsWith(text)).slice(0, limit)
      .map((one) => ({ name: one.name, where: one.isCountry ? "Country" : one.country, show: () => quadrille.showView(one, one.isCountry ? one.from + 2 : 10) }));
    return "world".startsWith(text) ? [{ name: "World", where: "", show: quadrille.showWorld }, ...found] : found;
  };

  const radians = (degrees) => (degrees * Math.PI) / 180;
  const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

  /// Kilometres from a place to a position, on a sphere.
  const distance = (one, lat, lng) => {
    const half = Math.sin(radians(lat - one.lat) / 2) ** 2
      + Math.cos(radians(lat)) * Math.cos(radians(one.lat)) * Math.sin(radians(lng - one.lng) / 2) ** 2;
    return 12742 * Math.asin(Math.min(1, Math.sqrt(half)));
  };

  const nearest = (lat, lng) => {
    let best = null;
    for (const one of places) {
      if (one.isCountry) continue;
      const far = distance(one, lat, lng);
      if (best === null || far < best.far) best = { one, far };
    }
    return best;
  };

  /// Where a position is, such as `12 km north-east of Lyon, France`; nothing where no places are known.
  quadrille.near = (lat, lng) => {
    const best = nearest(lat, lng);
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

  /// A view of half the world is called so, one of a continent by the country in its middle.
  const tellNear = () => {
    const center = map.getCenter().wrap();
    const box = map.getBounds();
    const span = box.getEast() - box.getWest();
    const country = () => nearest(center.lat, center.lng)?.one.country ?? "";
    element("near").textContent = span > 180 || map.getZoom() < map.getMinZoom() + 0.5 ? "World" : span > 20 ? country() : quadrille.near(center.lat, center.lng);
  };
  map.on("moveend", tellNear);
})();
