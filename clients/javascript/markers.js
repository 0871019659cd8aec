// Invisible markers over a MapLibre GL JS map that the keyboard and screen readers find: what the tiles show, as buttons.

/// `label` makes the words of an entry, and `pick` answers its button. Returns a function that takes the markers away.
export const focusableMarkers = (maplibregl, map, archive, { label, pick, limit = 100 }) => {
  const markers = new Map();
  let last = 0;
  const remove = (key) => {
    if (markers.get(key).getElement() === document.activeElement) map.getCanvas().focus();
    markers.get(key).remove();
    markers.delete(key);
  };
  const add = (entry) => {
    const element = Object.assign(document.createElement("button"), { type: "button" });
    // Pointers go through to the map, which has its own taps.
    element.style.cssText = "width: 24px; height: 24px; padding: 0; border: 0; border-radius: 50%; background: none; pointer-events: none";
    element.addEventListener("click", () => pick(entry));
    markers.set(entry.key, new maplibregl.Marker({ element }).setLngLat(entry).addTo(map));
    // The map has its own words for markers.
    element.setAttribute("aria-label", label(entry));
  };
  const renew = async () => {
    const turn = ++last;
    const [[west, south], [east, north]] = map.getBounds().toArray();
    // Tiles of 256 px are one zoom farther in than MapLibre's.
    const entries = await archive.entries([west, south, east, north], Math.round(map.getZoom() + 1), limit).catch((error) => {
      if (error.kind === "tooLarge") return [];
      throw error;
    });
    if (turn !== last) return;
    const keys = new Set(entries.map(({ key }) => key));
    for (const key of [...markers.keys()]) if (!keys.has(key)) remove(key);
    for (const entry of entries) markers.get(entry.key)?.setLngLat(entry) ?? add(entry);
  };
  map.on("moveend", renew);
  renew();
  return () => {
    last++;
    map.off("moveend", renew);
    for (const key of [...markers.keys()]) remove(key);
  };
};
