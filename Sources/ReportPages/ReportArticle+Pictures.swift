import MBTiles
import Reports
import Runs

extension ReportArticle {
  /// Returns the densest, the median and the emptiest tile of each zoom.
  func sheetSections(_ budget: inout PictureBudget) -> [HTMLNode] {
    var parts: [HTMLNode] = []
    for sheet in exhibit.sheets where !sheet.pictures.isEmpty {
      parts.append(.tag("h3", text: "Zoom \(sheet.zoom)"))
      parts.append(
        .tag(
          "div", ["class": "zoom"],
          sheet.pictures.map { figure($0.picture, word: $0.word, &budget) }))
    }
    return section("Contact sheet: the densest, median and emptiest tile of each zoom", parts)
  }

  /// Returns the tiles with the most bytes.
  func biggestSections(_ budget: inout PictureBudget) -> [HTMLNode] {
    let figures = exhibit.biggest.enumerated().map { index, picture in
      figure(picture, word: "\(index + 1).", &budget)
    }
    return section(
      "Biggest tiles", figures.isEmpty ? [] : [.tag("div", ["class": "sheet"], figures)])
  }

  /// Returns the frames of a series, the latest last, and its gaps.
  func frameSections(_ budget: inout PictureBudget) -> [HTMLNode] {
    guard let series = report.series else { return [] }
    var table = HTMLTable("The series", columns: ["what", "value"], textColumns: [0, 1])
    table.add([
      "frames", "\(ReportNumber.count(series.frames)), \(series.first) to \(series.latest)",
    ])
    table.add([
      "built in this run",
      "\(ReportNumber.count(series.built)); \(ReportNumber.count(series.unchanged)) unchanged, "
        + "\(ReportNumber.count(series.expired)) expired",
    ])
    if series.leftOut > 0 { table.add(["left out by 'keep'", ReportNumber.count(series.leftOut)]) }
    if series.replaced > 0 {
      table.add(["replaced, of the same instant", ReportNumber.count(series.replaced)])
    }
    for gap in series.gaps.prefix(100) {
      table.add([
        "gap",
        "\(ReportNumber.count(gap.missing)) between \(gap.from) and \(gap.to): \(gap.policy)",
      ])
    }
    for line in series.unusable.prefix(100) { table.add(["unusable", line]) }
    for picture in series.pictures { table.add(["picture", picture]) }
    var parts = [table.node]
    var figures: [HTMLNode] = []
    for frame in exhibit.frames {
      figures.append(
        frame.picture.map { figure($0, word: frame.time, &budget) }
          ?? .tag("p", text: "\(frame.time): \(frame.file) cannot be read."))
    }
    if !figures.isEmpty { parts.append(.tag("div", ["class": "sheet"], figures)) }
    if exhibit.furtherFrames > 0 {
      let count = ReportNumber.count(exhibit.furtherFrames)
      parts.append(.tag("p", ["class": "soft"], text: "\(count) earlier frames are not shown."))
    }
    return section("Frames", parts)
  }

  /// Returns the number of tiles that differ from the previous archive, and some of them before and
  /// after.
  func changeSections(_ budget: inout PictureBudget) -> [HTMLNode] {
    guard let changes = report.changes else { return [] }
    var table = HTMLTable(
      "Tiles that differ from the archive before, by zoom",
      columns: ["zoom", "added", "changed", "removed", "unchanged"], textColumns: [])
    for zoom in changes.zooms {
      table.add(
        [zoom.zoom, zoom.added, zoom.changed, zoom.removed, zoom.unchanged]
          .map(ReportNumber.count))
    }
    table.foot =
      [.text("all")]
      + [changes.added, changes.changed, changes.removed, changes.unchanged]
      .map { .text(ReportNumber.count($0)) }
    var parts = [table.node]
    let figures = report.changedTiles.prefix(48).map { pair($0, &budget) }
    if !figures.isEmpty {
      parts.append(.tag("h3", text: "Some of them, before and after"))
      parts.append(.tag("div", ["class": "pair"], Array(figures)))
    }
    return section("Difference to the archive before", parts)
  }

  private func pair(_ changed: ChangedTile, _ budget: inout PictureBudget) -> HTMLNode {
    let tile = changed.change.tile
    let sizes = [changed.before, changed.after].map { bytes in
      bytes.map { ReportNumber.count($0.count) } ?? "none"
    }
    return .tag(
      "figure", [:],
      [
        .tag(
          "div", ["class": "both"],
          [
            image(changed.before, "tile \(tile) before", none: "not there before", &budget),
            image(changed.after, "tile \(tile) after", none: "not there any more", &budget),
          ]),
        .tag(
          "figcaption", [:],
          [
            .tag("b", text: "\(tile)"),
            .text(" \(changed.change.kind.rawValue), bytes: \(sizes[0]) → \(sizes[1])"),
          ]),
      ])
  }

  private func figure(
    _ picture: ReportExhibit.Picture, word: String, _ budget: inout PictureBudget
  ) -> HTMLNode {
    let words = "tile \(picture.tile.tile), \(ReportNumber.count(picture.tile.bytes)) bytes"
    return .tag(
      "figure", [:],
      [
        image(picture.bytes, words, none: "the tile is not there", &budget),
        .tag(
          "figcaption", [:],
          [
            .tag("b", text: word),
            .text(" \(picture.tile.tile), \(ReportNumber.count(picture.tile.bytes)) bytes"),
          ]),
      ])
  }

  /// Returns an image over a checkerboard, or a text in its place.
  private func image(
    _ bytes: [UInt8]?, _ words: String, none: String, _ budget: inout PictureBudget
  ) -> HTMLNode {
    guard let bytes else { return .tag("div", ["class": "tile none"], text: none) }
    guard let uri = budget.uri(bytes) else {
      return .tag("div", ["class": "tile none"], text: "\(words): not shown")
    }
    return .tag("img", ["class": "tile", "src": uri, "alt": words])
  }
}
