package import Baking
import Definition
import Painting
package import Raster
package import Runs
import SourceStages

/// A view as it is asked for: its place, its size, and what surrounds it.
package struct FigureRequest: Sendable {
  package var area: MapView.Area

  /// The size of the whole figure in style pixels; `nil` for the size that fits the area.
  package var size: (width: Int, height: Int)?

  /// Device pixels per style pixel.
  package var ratio: Int

  package var figure: Figure

  package init(
    _ area: MapView.Area, size: (width: Int, height: Int)?, ratio: Int, figure: Figure = Figure()
  ) {
    self.area = area
    self.size = size
    self.ratio = ratio
    self.figure = figure
  }
}

extension Build {
  /// Draws one view with what surrounds it.
  ///
  /// - Parameter note: receives the notes of a build that concern the view, a sentence each.
  package func figure(
    _ request: FigureRequest, note: (String) -> Void
  ) throws(PipelineError) -> Pixmap {
    let tileSize = definition.tiles.tileSize
    func view(_ size: (width: Int, height: Int)?) throws(PipelineError) -> MapView {
      try MapView(request.area, size: size, ratio: request.ratio, tileSize: tileSize)
    }
    let figure = request.figure
    guard !figure.isPlain else { return try picture(of: view(request.size), note: note) }
    let free: (Int, Int)
    if let size = request.size {
      free = (size.width - 2 * figure.margin, size.height)
    } else {
      let view = try view(nil)
      free = (view.width, view.height)
    }
    let sheet = try PipelineError.wrapping {
      try FigureSheet(
        figure, width: max(free.0, 1), ratio: request.ratio, fonts: prepared.fonts)
    }
    let height = request.size == nil ? free.1 : free.1 - sheet.heightBesideMap
    guard free.0 >= 1, height >= 1 else {
      throw PipelineError(
        .usage, "margin and title leave no room for the map. Give a larger --size.")
    }
    let map = try view((free.0, height))
    var placed: [FigureSheet.PlacedPanel] = []
    let picture = try picture(
      of: map,
      over: { sources throws(PipelineError) in
        let panels = try panels(of: figure, map, sources, note: note)
        placed = try PipelineError.wrapping {
          try panels.map {
            try sheet.placed($0, $1, on: (map.width * map.ratio, map.height * map.ratio))
          }
        }
        return placed.map(\.box)
      }, note: note)
    return sheet.draw(picture, placed)
  }

  private func panels(
    of figure: Figure, _ map: MapView, _ sources: [ClusteredSource], note: (String) -> Void
  ) throws(PipelineError) -> [(FigureSheet.Panel, FigureSheet.Corner)] {
    var panels: [(FigureSheet.Panel, FigureSheet.Corner)] = []
    if figure.hasLegend {
      let legend = try legendPicture(of: sources, in: map)
      if legend.width > map.width * map.ratio || legend.height > map.height * map.ratio {
        note(
          "the legend is larger than the map: \(legend.width / map.ratio) × "
            + "\(legend.height / map.ratio) px. Give a larger --size.")
      }
      panels.append((.picture(legend), .topRight))
    }
    if figure.hasScaleBar {
      panels.append((.scale(ScaleBar(map, tileSize: definition.tiles.tileSize)), .bottomLeft))
      if let sentence = ScaleBar.note(map, tileSize: definition.tiles.tileSize) { note(sentence) }
    }
    if figure.hasAttribution {
      let text = Self.plain(definition.attribution)
      if text.isEmpty {
        note("no source has an attribution. Write 'attribution' into the pipeline.")
      } else {
        panels.append((.text(text), .bottomRight))
      }
    }
    return panels
  }

  /// Returns a text without the tags of HTML, which attributions may have.
  static func plain(_ html: String) -> String {
    html.replacing(#/<[^<>]*>/#, with: "")
      .replacing("&copy;", with: "©").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
  }
}
