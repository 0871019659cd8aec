package import Features
import Tiling

extension FramesManifest {
  static let version = 1

  /// The text of the file: the same manifest gives the same bytes; one frame or gap per line.
  ///
  /// - Complexity: O(frames).
  package var json: String {
    let members: [(String, String?)] = [
      ("version", String(Self.version)),
      ("name", SeriesJSONText.string(names.series)),
      ("layer", presentation.layer.map(SeriesJSONText.string)),
      ("bounds", Self.text(bounds)),
      ("minzoom", (frames.map(\.archive.minZoom).min()).map { String($0) }),
      ("maxzoom", (frames.map(\.archive.maxZoom).max()).map { String($0) }),
      ("frameDuration", String(presentation.frameDuration)),
      ("loop", presentation.loops ? "true" : "false"),
      ("default", SeriesJSONText.time(defaultFrame)),
      ("latest", SeriesJSONText.string(names.latest)),
      ("every", cadence.map { String($0) }),
      ("frames", SeriesJSONText.lines(frames.map(Self.text))),
      ("gaps", SeriesJSONText.lines(gaps.map(Self.text))),
      ("unusable", SeriesJSONText.list(unusable.map(SeriesJSONText.time))),
    ]
    let lines = members.compactMap { name, value in
      value.map { "  \(SeriesJSONText.string(name)): \($0)" }
    }
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }

  private static func text(_ box: GeoBounds) -> String {
    SeriesJSONText.list([box.west, box.south, box.east, box.north].map(SeriesJSONText.number))
  }

  private static func text(_ frame: Frame) -> String {
    SeriesJSONText.object([
      ("time", SeriesJSONText.time(frame.time)),
      ("run", frame.run.map(SeriesJSONText.time)),
      ("step", frame.run.map { SeriesJSONText.number(frame.time.hours(after: $0)) }),
      ("file", SeriesJSONText.string(frame.archive.file)),
      ("sha256", SeriesJSONText.string(frame.archive.sha256)),
      ("bytes", frame.archive.bytes.map { String($0) }),
      ("bounds", text(frame.archive.bounds)),
      ("minzoom", String(frame.archive.minZoom)),
      ("maxzoom", String(frame.archive.maxZoom)),
      ("duration", String(frame.duration)),
      ("records", frame.records.map { String($0) }),
      ("input", SeriesJSONText.string(frame.archive.input)),
    ])
  }

  private static func text(_ gap: FrameGap) -> String {
    SeriesJSONText.object([
      ("from", SeriesJSONText.time(gap.from)),
      ("to", SeriesJSONText.time(gap.to)),
      ("missing", String(gap.missing)),
      ("policy", SeriesJSONText.string(gap.policy.rawValue)),
    ])
  }

  /// Parses the output of ``json``.
  ///
  /// - Throws: ``SeriesError`` if the file has another version or is damaged; every frame must then
  ///   be rebuilt, and nothing removed.
  package init(_ document: PropertyValue, name: String) throws(SeriesError) {
    do throws(SeriesError) {
      let root = DocumentValue(document)
      guard try root.required("version").integer(in: 0...Int.max) == Self.version else {
        throw root.refused("is of another version than \(Self.version)")
      }
      let frames = try root.required("frames").elements()
      try SeriesLimits().check(frames: frames.count)
      self.init(
        names: try FrameNames(series: try root.required("name").text()),
        presentation: try Self.presentation(root),
        defaultFrame: try root.required("default").time(),
        cadence: try root.member("every").map { every throws(SeriesError) in
          Int64(try every.integer(in: 1...Int.max))
        },
        frames: try frames.map { frame throws(SeriesError) in try Self.frame(frame) },
        gaps: try root.required("gaps").elements().map { gap throws(SeriesError) in
          try Self.gap(gap)
        },
        unusable: try root.required("unusable").elements().map { time throws(SeriesError) in
          try time.time()
        })
    } catch {
      throw error.at(name)
    }
  }

  private static func presentation(
    _ root: DocumentValue
  ) throws(SeriesError) -> FramePresentation {
    var presentation = FramePresentation()
    presentation.frameDuration = try root.required("frameDuration").integer(in: 1...Int.max)
    guard case .bool(let loops) = try root.required("loop").value else {
      throw root.refused("has a 'loop' that is neither true nor false")
    }
    presentation.loops = loops
    presentation.defaultFrame = .at(try root.required("default").time())
    presentation.layer = try root.member("layer").map { layer throws(SeriesError) in
      try layer.text()
    }
    return presentation
  }

  private static func frame(_ frame: DocumentValue) throws(SeriesError) -> Frame {
    let box = try frame.required("bounds")
    let sides = try box.elements().map { side throws(SeriesError) in try side.number() }
    guard sides.count == 4 else { throw box.refused("is no list of four numbers") }
    return Frame(
      time: try frame.required("time").time(),
      run: try frame.member("run").map { run throws(SeriesError) in try run.time() },
      archive: FrameArchive(
        file: try frame.required("file").text(), sha256: try frame.required("sha256").text(),
        bytes: try frame.member("bytes").map { bytes throws(SeriesError) in
          try bytes.integer(in: 0...Int.max)
        },
        input: try frame.required("input").text(),
        bounds: GeoBounds(west: sides[0], south: sides[1], east: sides[2], north: sides[3]),
        minZoom: try frame.required("minzoom").integer(in: 0...30),
        maxZoom: try frame.required("maxzoom").integer(in: 0...30)),
      duration: try frame.required("duration").integer(in: 1...Int.max),
      records: try frame.member("records").map { records throws(SeriesError) in
        try records.integer(in: 0...Int.max)
      })
  }

  private static func gap(_ gap: DocumentValue) throws(SeriesError) -> FrameGap {
    let policy = try gap.required("policy")
    guard let known = MissingFramePolicy(rawValue: try policy.text()) else {
      throw policy.refused("is no policy")
    }
    return FrameGap(
      from: try gap.required("from").time(), to: try gap.required("to").time(),
      missing: try gap.required("missing").integer(in: 1...Int.max), policy: known)
  }
}
