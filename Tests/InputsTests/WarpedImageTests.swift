import DefinitionSamples
import Foundation
import GDAL
import Inputs
import PNG
import PipelineSamples
import Queries
import Raster
import Synchronization
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite(
  "Images that GDAL warps",
  .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)))
struct WarpedImageTests {
  private let sample: ImageSample
  private var folder: TemporaryFolder { sample.folder }

  /// Places of the image `photo.tif`: reference system, and west, north, east, south in its metres.
  private static let places = [
    ("EPSG:3035", "2500000 4500000 6500000 1500000"), ("EPSG:32632", "0 6600000 1400000 5600000"),
    ("EPSG:3413", "-2000000 -500000 1500000 -3000000"), ("EPSG:4326", "-10 70 60 -20"),
  ]

  init() throws {
    sample = try ImageSample(ImageSample.blots(width: 140, height: 100))
  }

  /// Writes the image `photo.png` as a GeoTIFF at one of the places.
  private func writePhoto(_ place: (String, String) = places[0], as name: String = "photo.tif")
    throws
  {
    let edges = place.1.split(separator: " ").map(String.init)
    try gdal(
      "gdal_translate", ["-expand", "rgba", "-a_srs", place.0, "-a_ullr"] + edges,
      "photo.png", name)
  }

  private func gdal(_ program: String, _ arguments: [String], _ files: String...) throws {
    try InstalledGDAL.run(program, ["-q"] + arguments + files, in: folder.url)
  }

  /// Writes heights in a national grid, in which the first columns are missing.
  private func writeHeights() throws {
    let rows = (0..<60).map { row in
      (0..<80).map { $0 < 5 ? "-9999" : "\(Double($0 * 10 + row) + 0.25)" }.joined(separator: " ")
    }
    try folder.write(
      "ncols 80\nnrows 60\nxllcorner 500000\nyllcorner 5500000\ncellsize 5000\n"
        + "NODATA_value -9999\n" + rows.joined(separator: "\n"), to: "heights.asc")
    try gdal(
      "gdal_translate", ["-a_srs", "EPSG:25832", "-ot", "Float32"], "heights.asc", "heights.tif")
  }

  private func definition(_ source: String, maxZoom: Int = 2, look: String = "")
    throws -> PipelineDefinition
  {
    let file = try folder.write(
      """
      version: 1
      sources: {photo: {type: image, \(source)}}
      layers: [{id: r, type: raster, source: photo\(look)}]
      tiles: {minzoom: 0, maxzoom: \(maxZoom)}
      output: {path: out.mbtiles}
      """, to: "warped.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(_ source: String, maxZoom: Int = 2, look: String = "") throws -> BuildReport {
    var options = BuildOptions()
    options.temporaryFolder = folder.url.path
    return try #require(
      PipelineRunner.build(
        definition(source, maxZoom: maxZoom, look: look), options: options,
        cancellation: Cancellation(), progress: { _ in }
      ).first)
  }

  /// Returns the world at a zoom, from the tiles that the program bakes.
  private func world(_ source: String, zoom: Int) throws -> Pixmap {
    _ = try definition(source, maxZoom: zoom)
    return try ImageSample(folder: folder, file: folder.path("warped.yml")).world(zoom: zoom)
  }

  /// Returns the share of the pixels that are not within 1 of 255.
  private func strays(_ first: Pixmap, _ second: Pixmap) -> Double {
    func far(_ a: UInt32, _ b: UInt32) -> Bool {
      for shift in [UInt32(0), 8, 16, 24] {
        let difference = Int(a >> shift & 0xFF) - Int(b >> shift & 0xFF)
        if abs(difference) > 1 { return true }
      }
      return false
    }
    var (shown, strays) = (0, 0)
    for (one, other) in zip(first.pixels, second.pixels) where one != 0 || other != 0 {
      shown += 1
      if far(one, other) { strays += 1 }
    }
    return Double(strays) / Double(max(shown, 1))
  }

  @Test("the pixels are those of gdalwarp", arguments: places)
  func pixels(system: String, corners: String) throws {
    try writePhoto((system, corners))
    let all = try definition("url: photo.tif", maxZoom: 6).located()
    // The first zoom that is as fine as the image, and the part of the world that the image covers.
    let grid = try #require(all.sources[0].warped?.conversion.content().grid)
    #expect(grid.zoom < 6)
    let edges = grid.metres
    let box = [edges.west, edges.south, edges.east, edges.north].map { "\($0)" }
    let size = ["\(grid.columns.count)", "\(grid.rows.count)"]
    // What decides the widening of a kernel is how much of the image the target shows.
    try gdal(
      "gdalwarp",
      ["-t_srs", "EPSG:3857", "-et", "0", "-r", "bilinear", "-te"] + box + ["-ts"] + size,
      "photo.tif", "part.tif")
    try gdal("gdal_translate", ["-of", "PNG"], "part.tif", "part.png")
    let part = try PNGDecoder().decode(folder.bytes("part.png"))
    let found = try world("url: photo.tif", zoom: grid.zoom)
    let expected = Pixmap(width: found.width, height: found.height)
    expected.replace(with: part, x: grid.columns.lowerBound, y: grid.rows.lowerBound)
    #expect(found.colors.count > 30)
    #expect(strays(found, expected) <= 0.001, "\(system)")
  }

  @Test("an image of the whole world keeps its detail, however far Mercator stretches the poles")
  func wholeWorld() throws {
    let stripes = Pixmap(width: 1024, height: 512)
    for y in 0..<512 {
      for x in 0..<1024 { stripes[x, y] = PremultipliedColor(x / 8 % 2 == 0 ? .black : .white) }
    }
    try Data(PNGEncoder().encode(stripes)).write(
      to: URL(fileURLWithPath: folder.path("stripes.png")))
    try gdal(
      "gdal_translate", ["-a_srs", "EPSG:4326", "-a_ullr", "-180", "90", "180", "-90"],
      "stripes.png", "stripes.tif")
    let world = try world("url: stripes.tif", zoom: 2)
    for x in 0..<1024 where (2..<6).contains(x % 8) {
      let color = world[x, 512]
      #expect(color.red == (x / 8 % 2 == 0 ? 0 : 255), "column \(x)")
    }
  }

  @Test("all containers of one image have the same tiles: COG, VRT mosaics, JPEG 2000, world files")
  func containers() throws {
    try writePhoto()
    let expected = try build("url: photo.tif").archive.digest
    try gdal("gdal_translate", ["-of", "COG"], "photo.tif", "cog.tif")
    try gdal("gdal_translate", ["-srcwin", "0", "0", "70", "100"], "photo.tif", "left part.tif")
    try gdal(
      "gdal_translate", ["-srcwin", "70", "0", "70", "100"], "photo.tif",
      "right & part.tif")
    try gdal("gdalbuildvrt", [], "parts.vrt", "left part.tif", "right & part.tif")
    try gdal(
      "gdal_translate", ["-of", "JP2OpenJPEG", "-co", "QUALITY=100", "-co", "REVERSIBLE=YES"],
      "photo.tif", "photo.jp2")
    try gdal(
      "gdal_translate", ["-of", "PNG", "-co", "WORLDFILE=YES"], "photo.tif", "placed.png")
    try FileManager.default.removeItem(atPath: folder.path("placed.png.aux.xml"))
    for source in [
      "url: cog.tif", "url: parts.vrt", "url: photo.jp2", "url: placed.png, crs: 'EPSG:3035'",
    ] {
      #expect(try build(source).archive.digest == expected, "\(source)")
    }
    #expect(try folder.names().filter { $0.contains("quadrille-gdal") } == [])
  }

  @Test("a world file of another system places the stored rows, with a note on Exif data")
  func turned() throws {
    let png = ExifSample.png(try folder.bytes("photo.png"), ExifSample.data(6))
    try Data(png).write(to: URL(fileURLWithPath: folder.path("photo.png")))
    try folder.write("10000\n0\n0\n-10000\n4000000\n3000000\n", to: "photo.pgw")
    let report = try build("url: photo.png, crs: 'EPSG:3035'")
    #expect(report.notes.count == 1)
    #expect(report.notes.first?.contains("(orientation 6), but its world file") == true)
  }

  @Test("packed images and those behind a url have the same tiles; a changed one is baked again")
  func packedAndRemote() throws {
    try writePhoto()
    let expected = try build("url: photo.tif").archive.digest
    let photo = try folder.bytes("photo.tif")
    func write(_ bytes: [UInt8], _ name: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    }
    try write(PackedSample.gzip(photo), "photo.tif.gz")
    try write(
      PackedSample.zip([
        .init("readme.txt", [0x61]), .init("in/photo.tif", photo),
      ]), "photo.zip")
    let content = Mutex(["/photo.tif": photo])
    let server = try LocalServer { request, connection in
      let file = content.withLock { $0[request.target.prefix { $0 != "?" }.description] }
      guard let file else { return connection.answer(404, [], "nothing") }
      connection.answer(200, [], file)
    }
    for source in ["photo.tif.gz", "photo.zip", "photo.zip/in/photo.tif"] {
      #expect(try build("url: \(source)").archive.digest == expected, "\(source)")
      #expect(try build("url: \(source)").result == .unchanged, "\(source)")
    }
    let remote = "url: '\(server.url("/photo.tif"))', maxAge: 0"
    #expect(try build(remote).archive.digest == expected)
    #expect(try build(remote).result == .unchanged)
    try gdal("gdal_translate", ["-scale", "0", "255", "255", "0"], "photo.tif", "new.tif")
    let new = try folder.bytes("new.tif")
    content.withLock { $0["/photo.tif"] = new }
    let changed = try build(remote)
    #expect(changed.result == .published && changed.archive.digest != expected)
    #expect(try build("url: new.tif").archive.digest == changed.archive.digest)
    let mosaic = Array("<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"></VRTDataset>".utf8)
    try write(PackedSample.zip([.init("a.tif", mosaic)]), "mosaic.zip")
    let error = #expect(throws: PipelineError.self) { try build("url: mosaic.zip") }
    #expect(error?.message.contains("is a mosaic behind a url") == true, "\(error?.message ?? "")")
    #expect(try folder.names().filter { $0.contains("quadrille-gdal") } == [])
  }

  @Test("plan, tiles, views and reports know the image")
  func everywhere() throws {
    try writePhoto()
    let report = try build("url: photo.tif")
    let image = try #require(report.sources.first?.image)
    #expect(image.format == "GTiff" && image.width > 100)
    let definition = try definition("url: photo.tif")
    var options = BuildOptions()
    options.temporaryFolder = folder.url.path
    let plan = try PipelineRunner.plan(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
    #expect(plan.tileCount == report.tiles.planned && plan.sources.first?.image == image)
    let view = try PipelineRunner.render(
      definition,
      view: MapView(center: LngLat(longitude: 10, latitude: 50), zoom: 2, width: 64, height: 64),
      options: options, cancellation: Cancellation(), progress: { _ in })
    #expect(try PNGDecoder().decode(view).colors.count > 10)
    let answer = try PipelineRunner.why(
      definition, question: .tile(TileCoord(z: 2, x: 2, y: 1)), scale: 1,
      options: options, cancellation: Cancellation(), progress: { _ in })
    #expect(
      answer.text.contains("r (raster)") && answer.text.contains("the same"), "\(answer.text)")
  }

  @Test("a part of a mosaic that changes is warped again, and equals a full build byte for byte")
  func mosaicPart() throws {
    try writePhoto()
    try gdal("gdal_translate", ["-srcwin", "0", "0", "70", "100"], "photo.tif", "left.tif")
    try gdal("gdal_translate", ["-srcwin", "70", "0", "70", "100"], "photo.tif", "right.tif")
    try gdal("gdalbuildvrt", [], "parts.vrt", "left.tif", "right.tif")
    #expect(try build("url: parts.vrt").result == .published)
    #expect(try build("url: parts.vrt").result == .unchanged)
    try gdal("gdal_translate", ["-scale", "0", "255", "255", "0"], "right.tif", "new.tif")
    try FileManager.default.removeItem(atPath: folder.path("right.tif"))
    try FileManager.default.moveItem(
      atPath: folder.path("new.tif"), toPath: folder.path("right.tif"))
    #expect(try build("url: parts.vrt").result == .published)
    let changed = try folder.bytes("out.mbtiles")
    try FileManager.default.removeItem(atPath: folder.path("out.mbtiles"))
    #expect(try build("url: parts.vrt").result == .published)
    #expect(try folder.bytes("out.mbtiles") == changed)
  }

  @Test("numbers are coloured by a ramp after they are warped, and missing ones are transparent")
  func numbers() throws {
    try writeHeights()
    let colored = try world(
      "url: heights.tif, colorRamp: [[50.25, '#000000'], [850, '#ff0000']]", zoom: 4)
    #expect(colored.colors.count > 100)
    // A missing -9999 that took part would be far below the ramp, and clamp to black.
    let opaque = colored.pixels.filter { $0 >> 24 == 255 }
    #expect(opaque.allSatisfy { $0 & 0xFFFF00 == 0 } && opaque.count { $0 & 0xFF > 200 } > 10)
    let scaled = try world("url: heights.tif, scale: [50.25, 850]", zoom: 4)
    let reds = zip(colored.pixels, scaled.pixels)
    #expect(reds.allSatisfy { $0 & 0xFF == $1 & 0xFF })
    let fewer = try world("url: heights.tif, scale: [50.25, 850], nodata: 300.25", zoom: 4)
    #expect(fewer.pixels.count { $0 >> 24 == 255 } != opaque.count)
  }

  @Test("bands are chosen and swapped, palettes become colours, and a colour becomes transparent")
  func bands() throws {
    try writePhoto()
    let whole = try world("url: photo.tif", zoom: 2)
    let swapped = try world("url: photo.tif, bands: [3, 2, 1]", zoom: 2)
    #expect(whole.differences(from: swapped) > 100)
    func isSwapped(_ first: UInt32, _ second: UInt32) -> Bool {
      let isEqual = first & 0xFF00_FF00 == second & 0xFF00_FF00
      return isEqual && first & 0xFF == second >> 16 & 0xFF
    }
    #expect(zip(whole.pixels, swapped.pixels).allSatisfy(isSwapped))
    let gray = try world("url: photo.tif, bands: [2]", zoom: 2)
    func isGreen(_ first: UInt32, _ second: UInt32) -> Bool {
      first >> 8 & 0xFF == second & 0xFF && first >> 24 == second >> 24
    }
    #expect(zip(whole.pixels, gray.pixels).allSatisfy(isGreen))
    try folder.write(
      "ncols 4\nnrows 4\nxllcorner 500000\nyllcorner 5500000\ncellsize 250000\n"
        + "0 0 1 1\n0 0 1 1\n2 2 1 1\n2 2 1 1\n", to: "classes.asc")
    try gdal(
      "gdal_translate", ["-a_srs", "EPSG:25832", "-ot", "Byte", "-of", "VRT"],
      "classes.asc", "classes.vrt")
    let text = String(decoding: try folder.bytes("classes.vrt"), as: UTF8.self)
    let entries = ["255 0 0", "0 255 0", "0 0 255"].map { color in
      let c = color.split(separator: " ")
      return "<Entry c1=\"\(c[0])\" c2=\"\(c[1])\" c3=\"\(c[2])\" c4=\"255\"/>"
    }.joined()
    try folder.write(
      text.replacing("<ColorInterp>Gray</ColorInterp>", with: "").replacing(
        "<SimpleSource>",
        with: "<ColorInterp>Palette</ColorInterp><ColorTable>\(entries)</ColorTable><SimpleSource>"),
      to: "colored.vrt")
    try gdal("gdal_translate", [], "colored.vrt", "palette.tif")
    let palette = try world("url: palette.tif, resampling: nearest", zoom: 4)
    #expect(palette.colors.isSuperset(of: [0, 0xFF00_00FF, 0xFF00_FF00, 0xFFFF_0000]))
    let partly = try world("url: palette.tif, resampling: nearest, nodata: 1", zoom: 4)
    #expect(!partly.colors.contains(0xFF00_FF00) && partly.colors.contains(0xFFFF_0000))
  }

  @Test(
    "bands are colours only where the file says so, and others are refused with the key that chooses",
    arguments: [2, 3, 5], ["Float32", "Byte"])
  func bandsWithoutColors(count: Int, type: String) throws {
    try writeHeights()
    let bands = (0..<count).flatMap { _ in ["-b", "1"] }
    try gdal("gdal_translate", ["-ot", type] + bands, "heights.tif", "steps.tif")
    let refusal = #expect(throws: PipelineError.self) { try build("url: steps.tif") }
    #expect(refusal?.code == .definition)
    #expect(refusal?.message.contains("has \(count) bands") == true)
    #expect(refusal?.message.contains("'bands: [1]'") == true, "\(refusal?.message ?? "")")
    let ramp = "colorRamp: [[0, black], [850, white]]"
    let colored = #expect(throws: PipelineError.self) { try build("url: steps.tif, \(ramp)") }
    #expect(colored?.message.contains("'bands: [1]'") == true)
    #expect(try build("url: steps.tif, bands: [1], \(ramp)").result == .published)
  }

  @Test("the variables of a NetCDF file are layers")
  func layers() throws {
    try writeHeights()
    try gdal("gdal_translate", ["-of", "netCDF"], "heights.tif", "one.nc")
    let one = try build("url: one.nc, scale: [0, 850]").archive.digest
    #expect(try build("url: heights.tif, scale: [0, 850]").archive.digest == one)
    let error = #expect(throws: PipelineError.self) {
      try build("url: one.nc, scale: [0, 850], layer: t2m")
    }
    #expect(error?.message.contains("has no layer 't2m'") == true, "\(error?.message ?? "")")
  }

  @Test(
    "what GDAL cannot read as asked ends the build with what to do, and the last archive stays",
    arguments: [
      ("url: bare.tif", 78, "'crs: EPSG:25832'"),
      ("url: unplaced.tif", 78, "put a world file beside it"),
      ("url: heights.tif", 78, "set 'colorRamp: [[0, white], [100, black]]' or 'scale: [0, 100]'"),
      ("url: photo.tif, bands: [9]", 78, "has no band 9; its bands are 1 to 4"),
      ("url: photo.tif, colorRamp: [[0, red]]", 78, "'colorRamp' gives colours to one"),
      ("url: photo.tif, crs: 'EPSG:25832', bounds: [1, 2, 3, 4]", 78, "Remove 'bounds'"),
      ("url: photo.tif, nodata: [1, 2], crs: 'EPSG:3035'", 78, "one value or colour"),
      ("url: cut.tif", 65, "cannot be read by gdalwarp"),
      ("url: words.tif", 65, "is of no format that gdalinfo reads here"),
      ("url: remote.vrt", 65, "no plain files of this machine"),
      ("url: lost.vrt", 65, "names 'gone.tif', and there is no such file"),
      ("url: absent.tif", 66, "does not exist"),
      ("url: photo.png, bounds: [1, 2, 3, 4], nodata: -9999.5", 78, "can be no pixel"),
    ])
  func refusal(source: String, code: Int, words: String) throws {
    try writePhoto()
    try writeHeights()
    _ = try build("url: photo.tif")
    let before = try folder.bytes("out.mbtiles")
    try gdal("gdal_translate", ["-co", "PROFILE=BASELINE"], "photo.png", "unplaced.tif")
    try gdal("gdal_translate", ["-a_ullr", "0", "10", "10", "0"], "photo.png", "bare.tif")
    try Data(try folder.bytes("photo.tif").prefix(9000)).write(
      to: URL(fileURLWithPath: folder.path("cut.tif")))
    try folder.write("no image at all", to: "words.tif")
    for (name, file) in [("remote", "/vsicurl/http://127.0.0.1/a.tif"), ("lost", "gone.tif")] {
      try folder.write(
        """
        <VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand dataType="Byte" band="1">\
        <SimpleSource><SourceFilename relativeToVRT="1">\(file)</SourceFilename></SimpleSource>\
        </VRTRasterBand></VRTDataset>
        """, to: "\(name).vrt")
    }
    let error = #expect(throws: PipelineError.self) { try build(source) }
    #expect(Int(error?.code.exitStatus ?? 0) == code, "\(error as Any)")
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(try folder.bytes("out.mbtiles") == before)
    #expect(try folder.names().filter { $0.contains("quadrille-gdal") } == [])
  }
}

@Suite("Keys of images that GDAL warps") struct WarpedImageKeyTests {
  @Test(
    "what makes no sense is refused with its key",
    arguments: [
      ("bands: [1, 2]", "'bands' are one band, or three"),
      ("scale: [3, 1]", "a greater one for white"),
      ("scale: [1, 3], colorRamp: [[1, red]]", "both colour the values"),
      ("crs: /etc/passwd", "'crs' is a coordinate reference system"),
    ])
  func refused(keys: String, words: String) {
    let error = #expect(throws: PipelineError.self) {
      try definition(
        """
        version: 1
        sources: {s: {type: image, url: a.tif, \(keys)}}
        layers: [{id: a, type: raster, source: s}]
        output: {path: out.mbtiles}
        """)
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
