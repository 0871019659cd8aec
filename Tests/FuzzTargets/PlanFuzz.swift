import Platform
import Reuse
import Series
import Shards

/// Damaged plans: a byte of options, then what to do to a good `plan.json`, or with the highest bit
/// the whole text. The lowest bit takes a plan of a series instead of one of tiles.
enum PlanFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let options = input.byte()
    let isSeries = options.has(bit: 0)
    let base = Array(good(isSeries: isSeries).utf8)
    let text = options.has(bit: 7) ? input.rest : Damage.apply(&input, to: base, pageSize: 64)
    let folder = try ScratchFolder()
    try folder.write(Array(pipeline(isSeries: isSeries).utf8), to: "p.yml")
    try folder.write(text, to: "plan.json")
    guard let found = read(folder) else {
      try require(text != base, "the good plan is refused")
      return false
    }
    try require(
      found.frames == 0 || found.frames == found.units,
      "the shards do not have the frames of the series")
    return true
  }

  /// The numbers of units of the shards and of frames of the series; `nil` where the plan is refused.
  private static func read(_ folder: ScratchFolder) -> (units: Int, frames: Int)? {
    guard let plan = try? PlanFolder(folder.path(".")), (try? plan.pipeline()) != nil,
      let frames = try? plan.plannedFrames()
    else { return nil }
    return (
      plan.summary(of: "p").shards.reduce(0) { $0 + $1.count },
      frames.reduce(0) { $0 + $1.series.count }
    )
  }

  private static func pipeline(isSeries: Bool) -> String {
    let source =
      isSeries
      ? "{type: image-series, frames: 'in/*.png', time: '%Y%m%d%H', bounds: [0, 0, 9, 9]}"
      : "{type: csv, data: places.csv}"
    let type = isSeries ? "raster" : "circle"
    return """
      version: 1
      name: sample
      sources: {a: \(source)}
      layers: [{id: a, type: \(type), source: a}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """
  }

  /// The text of a plan; what follows from the program stands at its end.
  private static func good(isSeries: Bool) -> String {
    let inputs =
      #"{"options":"00","sources":[{"name":"a","files":[]}],"fonts":[],"sprites":[],"libraries":[]}"#
    let hash = String(repeating: "ab", count: 32)
    let archives =
      #"[{"scale":1,"rows":5,"drawsAnything":true,"decision":{"layout":"dedup","estimate":"#
      + #"{"rows":5,"images":4,"bytesPerImage":100.5,"secondsPerImage":0.001}},"paint":"00","#
      + #""extents":[{"zoom":1,"columns":[0,1],"rows":[0,1]}],"notes":[],"inputs":\#(inputs)}]"#
    func file(_ hour: Int) -> String {
      #"{"time":\#(hour * 3600),"name":"in\#(hour).png","sha256":"\#(hash)","image":"#
        + #"{"path":"in\#(hour).png","width":6,"height":4,"format":"png"}}"#
    }
    func entry(_ hour: Int) -> String {
      #"{"time":\#(hour * 3600),"name":"in\#(hour).png","place":"in\#(hour).png"}"#
    }
    let fault = #"{"time":10800,"frame":"in3.png","kind":"broken","reason":"it is cut off."}"#
    let series =
      #"[{"inputs":[\#(inputs)],"frames":{"source":"a","faults":[\#(fault)],"size":[6,4],"#
      + #""bounds":[0,0,9,9],"entries":[\#((1...5).map(entry).joined(separator: ","))],"#
      + #""files":[\#([1, 2, 4, 5].map(file).joined(separator: ","))]}}]"#
    let shards =
      #"[{"firstRow":0,"rows":3,"seconds":0.5,"bytes":300},"#
      + #"{"firstRow":3,"rows":\#(isSeries ? 1 : 2),"seconds":0.5,"bytes":200}]"#
    return #"{"format":"quadrille-plan","version":2,"archives":\#(isSeries ? "[]" : archives),"#
      + #""sprites":[],"series":\#(isSeries ? series : "[]"),"shards":\#(shards),"notes":["a note."],"#
      + #""files":[{"name":"p.yml","bytes":150,"sha256":"\#(hash)"}],"options":{"maxZoom":1},"#
      + #""sources":[{"name":"a","layer":"","fetched":[],"absentAddresses":[],"notes":[]}],"#
      + #""pipeline":{"file":"p.yml","including":[],"replacing":[],"documents":{"p.yml":"p.yml"},"variables":{},"#
      + #""copies":{},"warped":{}},"program":\#(program)}"#
  }

  /// The running program, known by its file.
  private static let program: String = {
    var name = utsname()
    uname(&name)
    let machine = withUnsafeBytes(of: &name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return #"{"version":"0","sha256":"00","machine":"\#(machine)","#
      + #""file":"\#(ProgramIdentity.text ?? "")"}"#
  }()
}
