import Baking
import Definition
import Features
import Ingest
import JSON
import OrderedCollections
import PNG
import Pipeline
import Preview
import Runs
import SystemPackage
import Tiling

/// The bodies that change a look in the preview: a byte of options, then the JSON that the page posts.
/// The lowest two bits choose the pipeline.
enum LookFuzz {
  /// A pipeline whose data is read.
  private struct Sample: Sendable {
    let file: String
    let text: [UInt8]
    let tiles: TilesOnDemand
  }

  private static let samples: Result<[Sample], any Error> = Result(catching: make)

  /// A library that no test loads.
  private static let leaflet: Result<LeafletFiles, any Error> = Result {
    let folder = try ScratchFolder()
    for name in ["leaflet.js", "leaflet.css"] { try folder.write([], to: name) }
    return try LeafletFiles(folders: [folder.path(".").string])
  }

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let options = input.byte()
    let samples = try samples.get()
    let sample = samples[Int(options & 3) % samples.count]
    let folder = try ScratchFolder()
    try folder.write(sample.text, to: sample.file)
    let page = try LookPage(folder.path(sample.file).string, sample.tiles, leaflet.get())
    let body = input.rest

    let answer = try page.post("look.json", body)
    try require(try page.post("look.json", body) == answer, "a second answer differs")
    try require(try folder.bytes(sample.file) == sample.text, "trying a look out writes the file")
    guard answer.status == 200, let told = answer.members else { return false }
    if case .object(let entry)? = told["entry"], case .string(let id)? = entry["id"] {
      try page.checkTile(of: id)
    }
    let isKept = try keep(body, page, sample, in: folder)
    let (isWritable, isPainted) = (told["refusal"] == .null, told["failure"] == .null)
    try require(
      isKept ? isWritable : !isWritable || !isPainted, "the file changes, or not, other than told")
    return isKept && isPainted
  }

  /// Keeps a look.
  ///
  /// - Returns: whether the file was written, in which nothing but looks may change.
  private static func keep(
    _ body: [UInt8], _ page: LookPage, _ sample: Sample, in folder: ScratchFolder
  ) throws -> Bool {
    guard case .object(var members) = try JSONValueParser.parse(body) else { return false }
    members["version"] = try page.look()["version"]
    let answer = try page.post("keep.json", Array(JSONWriter.text(.object(members)).utf8))
    let text = try folder.bytes(sample.file)
    guard answer.status == 200 else {
      try require(text == sample.text, "a refused look is written")
      return false
    }
    try require(
      try rest(of: text, sample.file) == rest(of: sample.text, sample.file),
      "more than looks is written")
    let lines = text.split(separator: UInt8(ascii: "\n"))
    for comment in sample.text.split(separator: UInt8(ascii: "\n"))
    where comment.first == UInt8(ascii: "#") {
      try require(lines.contains(comment), "a comment is lost")
    }
    _ = try page.look()
    return true
  }

  /// Returns a pipeline without the looks of its layers.
  private static func rest(of text: [UInt8], _ file: String) throws -> PropertyValue {
    let root = try Document(bytes: text, file: file, environment: { _ in nil }).root.propertyValue
    guard case .object(var members) = root, case .array(let layers)? = members["layers"] else {
      return root
    }
    members["layers"] = .array(
      layers.map { layer in
        guard case .object(var layer) = layer else { return layer }
        for block in ["paint", "layout"] { layer[block] = nil }
        return .object(layer)
      })
    return .object(members)
  }

  // MARK: Good ones

  private static let places = "id,lat,lon,n\n1,50,8,3\n2,50,12,30\n3,52,10,4\n4,52,10,\n"

  private static let areas = """
    {"type":"Feature","properties":{"n":1},"geometry":{"type":"Polygon","coordinates":[[[0,0],[90,0],[90,60],[0,0]]]}}
    {"type":"Feature","properties":{"n":"x"},"geometry":{"type":"LineString","coordinates":[[-170,-40],[0,20],[190,4]]}}
    """

  private static func make() throws -> [Sample] {
    let data = try ScratchFolder()
    try data.write(Array(places.utf8), to: "p.csv")
    try data.write(Array(areas.utf8), to: "a.geojsonl")
    let texts = [
      ("a.yml", points(data.path("p.csv").string)), ("b.yml", flow(data.path("p.csv").string)),
      ("c.json", shapes(data.path("a.geojsonl").string)),
    ]
    return try texts.map { file, text in
      let document = try Document(
        bytes: Array(text.utf8), file: data.path(file).string, environment: { _ in nil })
      let tiles = try PipelineRunner.tilesOnDemand(
        try PipelineDefinition(document), cancellation: Cancellation(), progress: { _ in })
      return Sample(file: file, text: Array(text.utf8), tiles: tiles)
    }
  }

  private static func points(_ data: String) -> String {
    """
    # A pipeline in blocks.
    version: 1
    name: a
    sources:
      s: {type: csv, data: "\(data)", cluster: true}
    layers:
    # The places.
      - id: dots # below names
        type: circle
        source: s
        paint:
          circle-color: [step, [get, n], "#112233", 10, 'red'] # by number
          circle-radius:   4
          circle-stroke-width: 1.5
      - id: names
        type: symbol
        source: s
        layout:
          text-field: "{id}: {n}"
          text-size: {stops: [[0, 9], [4, 14]]}
          text-font: [Open Sans Bold]
        paint: {text-color: "rgba(0, 0, 0, 0.5)", text-halo-width: 1}
    tiles: {maxzoom: 2}
    """
  }

  private static func flow(_ data: String) -> String {
    """
    version: 1
    name: a
    args: {SHADE: red}
    sources: {s: {type: csv, data: "\(data)"}}
    layers: [
      {id: dots, type: circle, source: s, paint: {circle-radius: &size 5, circle-stroke-width: *size, circle-color: "${SHADE}"}},
      {id: pies, type: chart, source: s, layout: {chart-slices: [{value: [get, n], color: red}, {value: 2, color: blue}]}, paint: {chart-radius: 12}},
      {id: heat, type: heatmap, source: s, paint: {heatmap-radius: [interpolate, [linear], [zoom], 0, 5, 9, 30], heatmap-intensity: 1}},
    ]
    # The end.
    tiles: {maxzoom: 2}
    """
  }

  private static func shapes(_ data: String) -> String {
    #"""
    {"version": 1, "name": "a", "sources": {"s": {"type": "geojsonseq", "data": "\#(data)"}},
     "layers": [
      {"id": "fills", "type": "fill", "source": "s",
       "paint": {"fill-color": ["match", ["to-string", ["get", "n"]], "1", "#00f", "x", "#0f0", "gray"], "fill-opacity": 0.5}},
      {"id": "lines", "type": "line", "source": "s", "layout": {"line-cap": "round"},
       "paint": {"line-width": 3, "line-dasharray": [2, 1], "line-color": "hsl(10, 50%, 50%)", "line-blur": 0}},
      {"id": "along", "type": "symbol", "source": "s",
       "layout": {"symbol-placement": "line", "text-field": "along", "text-size": 10, "symbol-spacing": 99}}
     ], "tiles": {"maxzoom": 2}}
    """#
  }
}

/// A page of the preview that shows one painted pipeline.
private struct LookPage {
  private static let host = "127.0.0.1:80"
  private let router: PreviewRouter
  private let looks: LookDesk

  init(_ file: String, _ tiles: TilesOnDemand, _ leaflet: LeafletFiles) throws {
    let painted = try PaintedLook(tiles)
    let tileset = PreviewTileset(painted: "a")
    looks = LookDesk(files: [tileset.id: file]) { file in (painted, [file]) }
    var router = PreviewRouter([tileset], leaflet: leaflet, hosts: [Self.host])
    router.painted = [tileset.id: painted]
    router.looks = looks
    self.router = router
  }

  /// Posts a body; the status and the JSON or the sentence of the answer.
  func post(_ name: String, _ body: [UInt8]) throws -> LookAnswer {
    var request = PreviewRequest(method: "POST", target: "/tilesets/a/\(name)", host: Self.host)
    request.token = looks.token
    request.body = body
    return try LookAnswer(router.answer(request))
  }

  /// Returns the look of the file.
  func look() throws -> OrderedDictionary<String, PropertyValue> {
    let answer = try LookAnswer(get("/tilesets/a/look.json"))
    guard let members = answer.members else {
      throw FuzzFailure(description: "there is no look: \(answer)")
    }
    return members
  }

  /// Paints a tile in a changed look; there may be nothing in it.
  func checkTile(of id: String) throws {
    let picture = get("/tiles/\(id)/1x/0/0/0.png")
    guard picture.status == 200 else { return }
    let fault = picture.content.bytes.withUnsafeBytes { PNGCheck().fault(in: $0) }
    try require(fault == nil, "a tile that is none: \(fault ?? "")")
  }

  private func get(_ path: String) -> PreviewAnswer {
    router.answer(PreviewRequest(target: path, host: Self.host))
  }
}

/// An answer of the preview: a status with JSON or with a sentence.
private struct LookAnswer: Equatable {
  let status: Int
  let members: OrderedDictionary<String, PropertyValue>?

  init(_ answer: PreviewAnswer) throws {
    status = answer.status
    guard status == 200 else {
      members = nil
      try require([400, 409, 422].contains(status), "an answer with the status \(status)")
      try require(
        answer.content.bytes.count { $0 == UInt8(ascii: "\n") } == 1, "a refusal of several lines")
      return
    }
    guard case .object(let members) = try JSONValueParser.parse(answer.content.bytes) else {
      throw FuzzFailure(description: "an answer without members")
    }
    self.members = members
  }
}

/// The tiles of a pipeline, painted in the thread that asks for them.
private struct PaintedLook: PaintedTiles {
  let tiles: TilesOnDemand
  let description: PaintedDescription

  init(_ tiles: TilesOnDemand) throws {
    self.tiles = tiles
    var description = PaintedDescription(
      name: "a", bounds: tiles.bounds, zooms: 0...2, tileSize: 256, answersTaps: false)
    description.legend = try tiles.legend(scale: PaintedDescription.legendScale)
    self.description = description
  }

  func picture(_ tile: TileCoord, scale: Int, for client: PreviewClient) throws -> [UInt8]? {
    try tiles.picture(tile, scale: scale)
  }

  func grid(_ tile: TileCoord, for client: PreviewClient) throws -> [UInt8]? { nil }

  func repainted(_ overlay: LookOverlay) throws -> any PaintedTiles {
    try PaintedLook(tiles.repainted(overlay))
  }

  func picture(of view: PicturedView, for client: PreviewClient) throws -> [UInt8] { [] }

  func records(
    limit: Int, for client: PreviewClient, matching: @escaping @Sendable ([UInt8]) -> Bool
  ) throws -> [(json: [UInt8], place: LngLat)] { [] }
}
