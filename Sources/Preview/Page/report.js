"use strict";
// The numbers of the last build, from its report.
(() => {
  const { make } = quadrille;
  const whole = new Intl.NumberFormat("en");

  /// Bytes for people: three digits and a unit.
  const bytes = (count) => {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let value = count;
    let unit = 0;
    while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit++; }
    return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`;
  };

  const table = (caption, head, rows) => make(
    "table", {}, make("caption", {}, caption),
    ...(head.length === 0 ? [] : [make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text))))]),
    make("tbody", {}, ...rows.map(([first, ...others]) => make(
      "tr", {}, make("th", { scope: "row" }, first), ...others.map((text) => make("td", {}, text))))));

  const counts = (report) => {
    const rows = [];
    const add = (name, value, form) => { if (typeof value === "number") rows.push([name, form(value)]); };
    const tiles = report.tiles || {};
    add("Tiles", tiles.planned, whole.format);
    add("Distinct tiles", tiles.distinct, whole.format);
    add("Bytes of tiles", tiles.bytes, bytes);
    add("Archive", report.archive && report.archive.bytes, bytes);
    add("Frames", report.series && report.series.frames, whole.format);
    const seconds = Array.isArray(report.stages) ? report.stages.reduce((sum, stage) => sum + (stage.seconds || 0), 0) : NaN;
    if (Number.isFinite(seconds)) rows.push(["Time", `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`]);
    add("Peak memory", report.peakAnonymousBytes, bytes);
    add("Peak of mapped files", report.peakMappedBytes, bytes);
    return table("Last build", [], rows);
  };

  const sources = (report) => Object.entries(report.sources || {}).map(([name, source]) => {
    const rejected = Object.entries(source.rejected || {}).map(([reason, count]) => [`rejected: ${reason}`, whole.format(count)]);
    const rows = ["read", "used", "filtered", "noGeometry", "beyondMap", "limited"]
      .filter((key) => typeof source[key] === "number").map((key) => [key, whole.format(source[key])]);
    return rows.length + rejected.length === 0 ? null : table(`Source ${name}`, ["fate", "records"], [...rows, ...rejected]);
  }).filter((one) => one !== null);

  /// The report as tables.
  quadrille.reportTables = (report) => {
    const zooms = Array.isArray(report.zooms) ? report.zooms : [];
    const rows = zooms.map((zoom) => [
      String(zoom.zoom), whole.format(zoom.tiles || 0), whole.format(zoom.distinct || 0), whole.format(zoom.empty || 0), bytes(zoom.bytes || 0)]);
    const parts = [counts(report), ...sources(report)];
    if (rows.length > 0) parts.push(table("By zoom", ["zoom", "tiles", "distinct", "empty", "bytes"], rows));
    return make("div", {}, ...parts);
  };
})();
