import PNG
import Raster
import Testing
import Tiling

@testable import Overlays

@Suite struct ContactSheetTests {
  private let box = GeoBounds(west: -12, south: 48, east: 5, north: 61)

  private func solid(_ width: Int, _ height: Int, _ color: Color) -> Pixmap {
    let pixmap = Pixmap(width: width, height: height)
    pixmap.clear(to: PremultipliedColor(color))
    return pixmap
  }

  private func cells(_ count: Int, width: Int = 40, height: Int = 30) -> [ContactSheet.Cell] {
    (0..<count).map { index in
      let red = Double(index + 1) / Double(count + 1)
      return ContactSheet.Cell(
        solid(width, height, Color(red: red, green: 0, blue: 0)), label: "06:0\(index)")
    }
  }

  @Test(
    arguments: [
      (1, nil, 1, 1), (4, nil, 2, 2), (5, nil, 3, 2), (13, nil, 4, 4), (5, 5, 5, 1), (5, 1, 1, 5),
      (3, 100, 3, 1), (3, 0, 1, 3),
    ] as [(Int, Int?, Int, Int)])
  func `contact sheet cells are in rows, each whole and over its label`(
    count: Int, wanted: Int?, columns: Int, rows: Int
  ) throws {
    var options = ContactSheet()
    options.columns = wanted
    let cells = cells(count, width: 60)
    let sheet = try options.draw(cells, graticule: nil, fonts: try FontLibrary())
    let pitch = (sheet.width - options.margin) / columns
    let rise = (sheet.height - options.margin) / rows
    for (index, cell) in cells.enumerated() {
      let color = cell.picture.pixels[0]
      let found = sheet.pixels.indices.filter { sheet.pixels[$0] == color }
      #expect(found.count == 60 * 30)
      let xs = found.map { $0 % sheet.width }
      let ys = found.map { $0 / sheet.width }
      #expect(xs.min() == options.margin + index % columns * pitch)
      #expect(ys.min() == options.margin + index / columns * rise)
      // Something dark stands below the picture, and nothing else does above it.
      let x = options.margin + index % columns * pitch
      let y = options.margin + index / columns * rise
      let below = (30..<rise - options.margin).contains { row in
        (0..<60).contains { sheet[x + $0, y + row].red < 100 }
      }
      #expect(below)
      #expect((0..<60).allSatisfy { sheet[x + $0, y - 1].bits == .max })
    }
  }

  @Test func `graticule lines show through a transparent frame, but not an opaque one`() throws {
    let graticule = Graticule(bounds: box)
    let clear = Pixmap(width: 170, height: 226)
    let full = solid(170, 226, .black)
    let sheet = try ContactSheet().draw(
      [.init(clear, label: ""), .init(full, label: "")], graticule: graticule,
      fonts: try FontLibrary())
    let colors = SheetColors()
    for column in 0..<170 {
      let isLine = graticule.columns(width: 170).contains(column)
      #expect(sheet[12 + column, 13] == (isLine ? colors.line : colors.paper))
      #expect(sheet[12 + 170 + 12 + column, 13] == PremultipliedColor(.black))
    }
  }

  @Test func `the graticule of the United Kingdom has lines every two degrees`() {
    let graticule = Graticule(bounds: box)
    #expect(graticule.step == 2)
    #expect(graticule.columns(width: 170) == [0, 20, 40, 60, 80, 100, 120, 140, 160])
    let rows = Graticule(bounds: box, isMercator: false).rows(height: 130)
    #expect(rows == [10, 30, 50, 70, 90, 110, 129])
    // On the Mercator screen the northern degrees are taller.
    let mercator = graticule.rows(height: 1300)
    let steps = zip(mercator, mercator.dropFirst()).map { $1 - $0 }
    #expect(steps.dropLast() == steps.dropLast().sorted(by: >)[...])
    #expect(mercator.last == 1299)
  }

  @Test(arguments: [
    GeoBounds.world, GeoBounds(west: 170, south: -10, east: -170, north: 10),
    GeoBounds(west: 0, south: -90, east: 360, north: 90),
    GeoBounds(west: 8.5, south: 47.3, east: 8.501, north: 47.301),
    GeoBounds(west: 5, south: 5, east: 5, north: 5),
    GeoBounds(west: .nan, south: 0, east: 1, north: 1),
    GeoBounds(west: -1e300, south: 0, east: 1e300, north: 1),
    GeoBounds(west: 0, south: 1, east: 1, north: 0),
    GeoBounds(west: 0, south: 86, east: 1, north: 89),
  ])
  func `any graticule has few lines, all inside the picture`(bounds: GeoBounds) {
    for isMercator in [true, false] {
      let graticule = Graticule(bounds: bounds, isMercator: isMercator)
      let (columns, rows) = (graticule.columns(width: 256), graticule.rows(height: 100))
      #expect(columns.count <= 11 && rows.count <= 11)
      #expect(columns.allSatisfy { (0..<256).contains($0) } && columns == columns.sorted())
      #expect(rows.allSatisfy { (0..<100).contains($0) } && rows == rows.sorted())
    }
  }

  @Test(arguments: [(1, 10), (2, 5), (3, 4), (10, 1), (11, 1)])
  func `a reduced picture is the mean of its squares`(factor: Int, width: Int) {
    let picture = Pixmap(width: 10, height: 10)
    for x in 0..<10 {
      for y in 0..<10 where (x + y) % 2 == 0 {
        picture[x, y] = PremultipliedColor(Color(red: 1, green: 0.5, blue: 0))
      }
    }
    let small = ContactSheet.shrunk(picture, by: factor)
    #expect(small.width == width && small.height == width)
    #expect(small.pixels.allSatisfy { $0 >> 24 >= $0 & 255 && $0 >> 24 >= $0 >> 8 & 255 })
    if factor == 2 || factor >= 10 {
      #expect(small.pixels.allSatisfy { $0 == 0x8000_4080 })
    }
    let even = solid(7, 5, Color(red: 0.3, green: 0.5, blue: 0.7, alpha: 0.4))
    let evenSmall = ContactSheet.shrunk(even, by: factor)
    #expect(evenSmall.pixels.allSatisfy { $0 == even.pixels[0] })
  }

  @Test func `equal frames give equal contact sheets, and wide ones are reduced`() throws {
    let fonts = try FontLibrary()
    let graticule = Graticule(bounds: box)
    let cells = cells(3, width: 1000, height: 800)
    let one = try ContactSheet().draw(cells, graticule: graticule, fonts: fonts)
    let other = try ContactSheet().draw(cells, graticule: graticule, fonts: fonts)
    #expect(PNGEncoder().encode(one) == PNGEncoder().encode(other))
    #expect(one.width == 12 + 2 * (334 + 12))
  }

  @Test func `contact sheets without frames, and oversized ones, are refused`() throws {
    let fonts = try FontLibrary()
    #expect(throws: SeriesError.self) {
      try ContactSheet().draw([], graticule: nil, fonts: fonts)
    }
    let tall = ContactSheet.Cell(Pixmap(width: 1, height: 1 << 20), label: "")
    #expect(throws: SeriesError.self) {
      var sheet = ContactSheet()
      sheet.columns = 1
      return try sheet.draw(Array(repeating: tall, count: 6), graticule: nil, fonts: fonts)
    }
  }
}
