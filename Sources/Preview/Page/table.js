"use strict";
// The records in view as a table, and the view as a picture and as a link.
(() => {
  const { make, element, map, onChange } = quadrille;
  const most = 100; // rows
  const columns = 5;
  const looked = 2000; // records of the tiles in view, some of which lie beside it

  /// The columns that most rows have, in the order of the first.
  const keysOf = (rows) => {
    const counts = new Map();
    for (const { data } of rows) {
      for (const [key, value] of Object.entries(data)) {
        if (quadrille.isKey(key) || (value !== null && typeof value === "object") || String(value) === quadrille.nameOf(data)) continue;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const top = [...counts].sort((one, other) => other[1] - one[1]).slice(0, columns).map(([key]) => key);
    return [...counts.keys()].filter((key) => top.includes(key));
  };

  const lead = (place) => {
    const button = make("button", { type: "button" }, quadrille.nameOf(place.data) || "Show");
    button.addEventListener("click", () => {
      quadrille.closeSheet();
      element("map").focus();
      quadrille.tap(place.lat, place.lng);
    });
    return button;
  };

  const table = (rows, words) => {
    const keys = keysOf(rows);
    const head = make("thead", {}, make("tr", {}, ...["Record", ...keys].map((key) => make("th", { scope: "col" }, key))));
    const line = (place) => make("tr", {}, make("th", { scope: "row" }, lead(place)), ...keys.map((key) => make("td", {}, String(place.data[key] ?? ""))));
    return make("table", {}, make("caption", {}, words), head, make("tbody", {}, ...rows.map(line)));
  };

  const parts = new Map(); // id: {details, fill}
  /// The table of a tileset, which is filled while it is open.
  quadrille.tablePart = (one) => {
    const box = make("div", { class: "records", role: "region", "aria-label": `Records of ${one.title} in this view`, tabindex: "0" });
    const details = make("details", {}, make("summary", {}, "Records in this view"), box);
    let turn = 0;
    const fill = async () => {
      if (!details.open) return;
      const own = ++turn;
      const isObject = (data) => data !== null && typeof data === "object";
      const found = await quadrille.recordsInView(isObject, looked, quadrille.shownTilesets().filter((other) => other.id === one.id));
      if (own !== turn) return;
      const view = map.getBounds();
      const inView = found.filter((place) => view.contains([place.lat, place.lng]))
        .sort((a, b) => quadrille.nameOf(a.data).localeCompare(quadrille.nameOf(b.data)) || a.lng - b.lng);
      const clusters = inView.filter((place) => quadrille.isCluster(place.data)).length;
      const what = clusters > 0 ? `records and ${clusters === 1 ? "a cluster" : "clusters"}` : inView.length === 1 ? "record" : "records";
      const many = found.length >= looked ? `More than ${inView.length}` : `${inView.length}`;
      const words = inView.length > most ? `${many} ${what} in this view; these are the first ${most}.` : `${many} ${what} in this view.`;
      box.replaceChildren(inView.length === 0 ? make("p", {}, "No record in this view.") : table(inView.slice(0, most), words));
    };
    details.addEventListener("toggle", fill);
    parts.set(one.id, fill);
    return details;
  };
  let timer = 0;
  quadrille.refreshTables = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { for (const fill of parts.values()) fill(); }, 250);
  };
  map.on("moveend", quadrille.refreshTables);
  onChange((changes) => { if (["shown", "time"].some((key) => key in changes)) quadrille.refreshTables(); });

  /// The address of the view of a tileset as a picture.
  quadrille.pictureUrl = (one) => {
    const { lat, lng } = map.getCenter().wrap();
    const size = map.getSize();
    const zoom = Math.max(map.getZoom() - (one.tileSize === 512 ? 1 : 0), 0);
    return `tilesets/${one.painted?.id ?? one.id}/view.png?center=${lng},${lat}&zoom=${zoom}&size=${Math.round(size.x)}x${Math.round(size.y)}&ratio=${devicePixelRatio > 1 ? 2 : 1}`;
  };
  /// A button that saves the view of a tileset as a PNG.
  quadrille.pictureButton = (one) => {
    const button = make("button", { type: "button", "aria-label": `Save the view of ${one.title} as PNG` }, "PNG");
    button.addEventListener("click", async () => {
      const answer = await fetch(quadrille.pictureUrl(one)).catch(() => null);
      if (!answer?.ok) {
        element("tap-result").textContent = answer ? `There is no picture: ${(await answer.text()).trim()}` : "The preview's program has ended.";
        return;
      }
      const link = make("a", { href: URL.createObjectURL(await answer.blob()), download: `${one.id}.png` });
      link.click();
      URL.revokeObjectURL(link.href);
      element("tap-result").textContent = `The view is saved as ${one.id}.png.`;
    });
    return button;
  };

  element("share").addEventListener("click", async () => {
    const isDone = await quadrille.copy(quadrille.link());
    element("share").focus();
    element("tap-result").textContent = isDone ? "The link to this view is copied." : "The clipboard cannot be written; copy the address of the page.";
  });
})();
