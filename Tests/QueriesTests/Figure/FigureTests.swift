import Baking
import DefinitionSamples
import Foundation
import PNG
import PipelineSamples
import Raster
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Runs

@Suite("Figures of a view")
struct FigureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition() throws -> PipelineDefinition {
    try folder.write("lng,lat,kind\n8,47,a\n8.1,47.1,b\n", to: "p.csv")
    let file = try folder.write(
      """
      version: 1
      name: places
      attribution: '&copy; <a href="https://example.org">The Office</a>'
      sources: {p: {type: csv, data: p.csv}}
      layers:
        - {id: a, type: circle, source: p, paint: {circle-radius: 6,
           circle-color: [match, [get, kind], a, red, blue]}}
      output: {path: out.mbtiles}
      """, to: "p.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func figure(
    _ figure: Figure, size: (Int, Int)?, ratio: Int = 1, notes: inout [String]
  ) throws -> Pixmap {
    try PipelineRunner.figure(
      FigureRequest(
        .center(LngLat(longitude: 8, latitude: 47), zoom: 9), size: size, ratio: ratio,
        figure: figure),
      definition(), options: BuildOptions(), cancellation: Cancellation(), progress: { _ in },
      note: { notes.append($0) })
  }

  @Test("a figure has the size asked for, and its map is the view that is left", arguments: [1, 2])
  func layout(ratio: Int) throws {
    var notes: [String] = []
    var framed = Figure()
    (framed.title, framed.margin) = ("Places of the office", 20)
    let sheet = try figure(framed, size: (300, 240), ratio: ratio, notes: &notes)
    #expect(sheet.width == 300 * ratio && sheet.height == 240 * ratio)
    let map = try figure(Figure(), size: (260, 160), ratio: ratio, notes: &notes)
    // The disc of the place is in the middle of the map, wherever the title has pushed it.
    func red(_ picture: Pixmap) -> [Int] {
      picture.pixels.indices.filter { picture.pixels[$0] == 0xFF00_00FF }
    }
    #expect(!red(map).isEmpty && red(sheet).count == red(map).count)
    let column = try #require(red(sheet).first) % sheet.width
    #expect(try column == #require(red(map).first) % map.width + 20 * ratio)
    // The border is white, and the title above the map is not empty.
    #expect(sheet.pixels.prefix(20 * ratio * sheet.width).allSatisfy { $0 == .max })
    let heading = sheet.pixels[20 * ratio * sheet.width..<40 * ratio * sheet.width]
    #expect(heading.contains { $0 & 0xFFFFFF < 0x404040 })
    #expect(notes.isEmpty)
  }

  @Test("legend, scale bar and attribution stand in the corners of the map, and nothing else moves")
  func corners() throws {
    var notes: [String] = []
    let plain = try figure(Figure(), size: nil, notes: &notes)
    #expect(plain.width == 1024 && plain.height == 1024)
    let changed = try [\Figure.hasLegend, \.hasScaleBar, \.hasAttribution].map { part in
      var figure = Figure()
      figure[keyPath: part] = true
      let picture = try self.figure(figure, size: nil, notes: &notes)
      let pixels = plain.pixels.indices.filter { picture.pixels[$0] != plain.pixels[$0] }
      let columns = pixels.map { $0 % 1024 }
      return try (
        pixels.count, #require(columns.min()), #require(columns.max()),
        #require(pixels.first) / 1024, #require(pixels.last) / 1024
      )
    }
    #expect(changed.allSatisfy { $0.0 > 400 })
    #expect(changed[0].1 > 512 && changed[0].4 < 512, "\(changed[0])")
    #expect(changed[1].2 < 512 && changed[1].3 > 512, "\(changed[1])")
    #expect(changed[2].1 > 512 && changed[2].2 == 1023 && changed[2].4 == 1023, "\(changed[2])")
    #expect(notes.isEmpty)
  }

  @Test(
    "names in a figure are whole: they keep off its edges and off what lies over it",
    arguments: [1, 2], [9, 9.4])
  func names(ratio: Int, zoom: Double) throws {
    let rows = (0..<400).map { row in
      "\(7.6 + 0.8 * Double(row % 20) / 20),\(46.7 + 0.6 * Double(row / 20) / 20),Place \(row)"
    }
    try folder.write("lng,lat,name\n" + rows.joined(separator: "\n"), to: "n.csv")
    let file = try folder.write(
      """
      version: 1
      sources: {n: {type: csv, data: n.csv}}
      layers:
        - {id: a, type: symbol, source: n, layout: {text-field: [get, name], text-size: 10,
           text-padding: 0, text-variable-anchor: [center, left, right, top, bottom]}}
      output: {path: out.mbtiles}
      """, to: "n.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    func picture(_ figure: Figure) throws -> Pixmap {
      try PipelineRunner.figure(
        FigureRequest(
          .center(LngLat(longitude: 8, latitude: 47), zoom: zoom), size: (300, 200), ratio: ratio,
          figure: figure),
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in },
        note: { _ in })
    }
    func edge(_ picture: Pixmap) -> Int {
      picture.pixels.indices.count { index in
        let (x, y) = (index % picture.width, index / picture.width)
        return picture.pixels[index] != 0
          && (min(x, y) == 0 || x == picture.width - 1 || y == picture.height - 1)
      }
    }
    var framed = Figure()
    framed.hasScaleBar = true
    let (plain, whole) = (try picture(Figure()), try picture(framed))
    #expect(edge(plain) > 0 && edge(whole) == 0)
    #expect(whole.pixels.count { $0 != 0 } > 1000)
  }

  @Test("a figure without room for its map is refused, and tags of an attribution are not shown")
  func limits() throws {
    var notes: [String] = []
    var figure = Figure()
    figure.margin = 50
    #expect(throws: PipelineError.self) {
      try self.figure(figure, size: (90, 200), notes: &notes)
    }
    #expect(
      Build.plain(#"&copy; <a href="x">A &amp; B</a>, &lt;C&gt;"#) == "© A & B, <C>")
  }

  @Test(
    "a scale bar has a round length that is right at the middle of the view",
    arguments: [
      (0.0, 0.0, 512, "5000 km", 63.9), (12, 60, 512, "1 km", 104.7),
      (16.5, 47, 512, "100 m", 133.2),
      (22, 0, 256, "2 m", 53.6), (4, 20, 90, "500 km", 0),
    ])
  func scaleBar(zoom: Double, latitude: Double, width: Int, label: String, length: Double) {
    let view = MapView(
      center: LngLat(longitude: 0, latitude: latitude), zoom: zoom, width: width, height: 100)
    let bar = ScaleBar(view, tileSize: 512)
    let metres = 40_075_016.68557849 * cos(latitude * .pi / 180) / (512 * exp2(zoom))
    let parts = bar.label.split(separator: " ")
    let ground = (Double(parts[0]) ?? 0) * (parts[1] == "km" ? 1000 : 1)
    #expect(abs(bar.length * metres - ground) < 1e-6 * ground)
    #expect(bar.length <= min(150, Double(width) / 3))
    #expect(bar.length * 2.5 > min(150, Double(width) / 3))
    #expect((ScaleBar.note(view, tileSize: 512) != nil) == (zoom < 1), "\(bar)")
  }

  @Test("the name of the file decides its format, which tells its density")
  func formats() throws {
    let picture = Pixmap(width: 30, height: 20)
    picture.clear(to: PremultipliedColor(Color(red: 0, green: 0.5, blue: 0)))
    func bytes(_ name: String) throws -> [UInt8] {
      try FigureFormat(ofFile: name).bytes(of: picture, dotsPerInch: 300, title: "Ü (1)")
    }
    let png = try bytes("a.png")
    #expect(png.starts(with: [0x89, 0x50]) && png != PNGEncoder().encode(picture))
    // 300 dpi are 11,811 px per metre.
    let density: [UInt8] = Array("pHYs".utf8) + [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1]
    #expect(png.firstRange(of: density) != nil)
    let decoded = try PNGDecoder().decode(png)
    #expect(decoded.pixels.elementsEqual(picture.pixels))
    let jpeg = try bytes("a.JPG")
    #expect(jpeg.starts(with: [0xFF, 0xD8]) && Array(jpeg[13..<18]) == [1, 1, 44, 1, 44])
    #expect(try bytes("noending") == png)
    #expect(throws: PipelineError.self) { try FigureFormat(ofFile: "a.svg") }
  }

  @Test("a PDF has one page of the size in print, and its table leads to its objects")
  func pdf() throws {
    let picture = Pixmap(width: 300, height: 150)
    picture.clear(to: PremultipliedColor(Color(red: 0, green: 0.5, blue: 0)))
    for index in 0..<500 { picture.pixels[index * 7] = 0xFF00_0000 | UInt32(index * 331) }
    let bytes = PDFPage(dotsPerInch: 300, title: "Ü (1)").bytes(showing: picture)
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    #expect(text.hasPrefix("%PDF-1.4\n") && text.hasSuffix("%%EOF\n"))
    #expect(text.contains("/MediaBox [0 0 72.000 36.000]"))
    #expect(text.contains("/Title <feff00dc0020002800310029>"))
    #expect(text.contains("/ColorSpace /DeviceRGB") && text.contains("/Colors 3"))
    let table = bytes[try #require(bytes.lastRange(of: Array("\nxref\n".utf8))).lowerBound...]
    let rows = String(decoding: table, as: UTF8.self).split(separator: "\n")
    let places = rows.filter { $0.hasSuffix(" n ") }.compactMap { Int($0.prefix(10)) }
    #expect(places.count == 6)
    for (number, place) in places.enumerated() {
      #expect(bytes[place...].starts(with: Array("\(number + 1) 0 obj\n".utf8)))
    }
    let start = try #require(rows.last { $0.allSatisfy(\.isNumber) }.flatMap { Int($0) })
    #expect(bytes[start...].starts(with: Array("xref\n".utf8)))
  }
}

extension [UInt8] {
  fileprivate func lastRange(of part: [UInt8]) -> Range<Int>? { ranges(of: part).last }
}
