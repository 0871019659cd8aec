package import Raster

/// A picture of the frames of a series side by side, each over a plain graticule and with a label.
package struct ContactSheet {
  package struct Cell {
    package let picture: Pixmap

    /// The time, usually ``FrameTime/label``.
    package let label: String

    package init(_ picture: Pixmap, label: String) {
      self.picture = picture
      self.label = label
    }
  }

  /// The number of cells in a row; `nil` for about as many as there are rows.
  package var columns: Int?

  /// Maximum width of a cell in pixels; wider pictures are reduced by a whole factor to fit.
  package var maxCellWidth = 400

  /// Margin around each cell, in pixels.
  package var margin = 12

  /// Size of the labels in pixels per em.
  package var labelSize = 13.0

  package var fontStack = ["Open Sans Regular"]

  /// Maximum number of pixels of a sheet: 512 MB.
  package static let maxPixels = 1 << 27

  package init() {}

  /// Draws the cells, row by row.
  ///
  /// - Parameter graticule: the lines behind every picture; `nil` for a plain background.
  /// - Throws: ``SeriesError`` if there are no cells, or the sheet would have more pixels than
  ///   ``maxPixels``; ``FontError`` if there is no font.
  /// - Complexity: O(pixels of the sheet and of the pictures).
  package func draw(
    _ cells: [Cell], graticule: Graticule?, fonts: FontLibrary
  ) throws -> Pixmap {
    guard !cells.isEmpty else {
      throw SeriesError(.notFound, "a contact sheet needs a frame at least.")
    }
    let shaper = TextShaper(fonts: fonts)
    let style = TextStyle(fontStack: fontStack, size: labelSize, maxWidth: 0)
    let labels = try cells.map { try shaper.shape($0.label, style: style) }
    let layout = try SheetLayout(self, pictures: cells.map(\.picture), labels: labels)
    let colors = SheetColors()
    let sheet = Pixmap(width: layout.width, height: layout.height)
    sheet.clear(to: colors.sheet)
    let rasterizer = CoverageRasterizer()
    for (index, cell) in cells.enumerated() {
      let small = Self.shrunk(cell.picture, by: layout.factors[index])
      let corner = layout.corner(of: index)
      let x = corner.x + (layout.cellWidth - small.width) / 2
      if let graticule {
        graticule.draw(
          into: sheet, x: x, y: corner.y, width: small.width, height: small.height, colors)
      }
      sheet.blend(small, x: x, y: corner.y)
      let label = labels[index].fillMask(phaseX: 0, phaseY: 0, using: rasterizer)
      sheet.blend(
        label, color: colors.text, x: corner.x + layout.cellWidth / 2,
        y: corner.y + layout.pictureHeight + layout.labelHeight / 2)
    }
    return sheet
  }

  /// Returns the picture reduced by averaging every square of `factor` pixels; squares at the right
  /// and bottom may be smaller.
  ///
  /// Premultiplied channels are averaged, so the colours of transparent pixels have no effect.
  ///
  /// - Complexity: O(pixels).
  package static func shrunk(_ picture: Pixmap, by factor: Int) -> Pixmap {
    guard factor > 1 else { return picture }
    let small = Pixmap(
      width: (picture.width - 1) / factor + 1, height: (picture.height - 1) / factor + 1)
    for y in 0..<small.height {
      let rows = y * factor..<min((y + 1) * factor, picture.height)
      for x in 0..<small.width {
        let columns = x * factor..<min((x + 1) * factor, picture.width)
        var sums = SIMD4<Int>.zero
        for row in rows {
          for column in columns {
            let bits = picture.pixels[row * picture.width + column]
            sums &+= SIMD4(
              Int(bits & 255), Int(bits >> 8 & 255), Int(bits >> 16 & 255), Int(bits >> 24))
          }
        }
        let count = rows.count * columns.count
        func mean(_ sum: Int) -> UInt32 { UInt32((sum + count / 2) / count) }
        small.pixels[y * small.width + x] =
          mean(sums.x) | mean(sums.y) << 8 | mean(sums.z) << 16 | mean(sums.w) << 24
      }
    }
    return small
  }
}

/// The colours of a sheet.
struct SheetColors {
  let sheet = PremultipliedColor(.white)
  let paper = PremultipliedColor(Color(red: 0.95, green: 0.95, blue: 0.93))
  let line = PremultipliedColor(Color(red: 0.80, green: 0.80, blue: 0.78))
  let text = PremultipliedColor(Color(red: 0.13, green: 0.13, blue: 0.13))
}

/// The layout of a sheet's cells, in pixels.
private struct SheetLayout {
  /// The factor by which each picture is reduced.
  let factors: [Int]

  let columns: Int
  let cellWidth: Int
  let pictureHeight: Int
  let labelHeight: Int
  let margin: Int
  let width: Int
  let height: Int

  init(_ sheet: ContactSheet, pictures: [Pixmap], labels: [ShapedText]) throws(SeriesError) {
    // Options are clamped so that their products cannot overflow.
    let maxWidth = min(max(sheet.maxCellWidth, 1), 16_384)
    margin = min(max(sheet.margin, 0), 1000)
    factors = pictures.map { ($0.width - 1) / maxWidth + 1 }
    let widths = zip(pictures, factors).map { ($0.width - 1) / $1 + 1 }
    let heights = zip(pictures, factors).map { ($0.height - 1) / $1 + 1 }
    let labelWidth = labels.map { Int(min($0.width, 16_384).rounded(.up)) }.max() ?? 0
    cellWidth = max(widths.max() ?? 1, labelWidth)
    pictureHeight = heights.max() ?? 1
    labelHeight = labels.map { Int(min($0.height, 16_384).rounded(.up)) }.max() ?? 0
    let square = Int(Double(pictures.count).squareRoot().rounded(.up))
    columns = min(max(sheet.columns ?? square, 1), pictures.count)
    let rows = (pictures.count - 1) / columns + 1
    width = margin + columns * (cellWidth + margin)
    height = margin + rows * (pictureHeight + labelHeight + margin)
    let pixels = width.multipliedReportingOverflow(by: height)
    guard !pixels.overflow, pixels.partialValue <= ContactSheet.maxPixels else {
      throw SeriesError(
        .tooLarge,
        "a contact sheet of \(width) × \(height) pixels is too large; show fewer frames or smaller "
          + "ones.")
    }
  }

  func corner(of index: Int) -> (x: Int, y: Int) {
    (
      margin + index % columns * (cellWidth + margin),
      margin + index / columns * (pictureHeight + labelHeight + margin)
    )
  }
}
