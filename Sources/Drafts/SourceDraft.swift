import Examination
import Features
import Ingest
import OrderedCollections
import Overlays
import Tiling

/// A source of the pipeline that is drafted, with what is known about its data.
struct SourceDraft {
  /// The name under `sources:`.
  var name: String

  /// The keys of the source in their order, beginning with its type.
  var keys: OrderedDictionary<String, PropertyValue>

  /// Comments on its keys.
  var comments: [String: String] = [:]

  var content: Content

  /// The colours of an image's numbers, in words.
  var coloring: String?

  enum Content {
    case records(RecordFacts)
    /// The box of the image in the world, and its size in pixels.
    case image(ImageExtent, ImageSize)
    /// The same of the first frame of a series.
    case series(ImageExtent, ImageSize)
  }

  /// The properties of the records.
  struct RecordFacts {
    var examination: SourceExamination
    var roles: ColumnRoles
    var survey: RecordSurvey

    /// The number of records by their dimension.
    func count(_ kinds: GeometryColumn.Kind...) -> Int {
      kinds.reduce(0) { $0 + examination.shapes.count(of: $1) }
    }

    /// The number of tracks that the points are connected to; `nil` for points that stay such.
    var tracks: Int?

    /// The places that the records connect; `nil` for other records.
    var connections: Connections?

    /// The look of points; `nil` for bubbles where there are many.
    var look: PipelineDraft.Look?

    /// The looks that the points can have.
    var possibleLooks: [PipelineDraft.Look] {
      guard points > 0, lines + polygons == 0, count(.multiPoint) == 0 else { return [] }
      return (roles.slices == nil ? [] : [.donuts]) + [.hexagons] + (frames == nil ? [] : [.time])
    }

    /// The division of the records into frames; `nil` where their instants span less than two days.
    var frames: FrameStep? {
      guard let property = roles.instants, let instants = survey.instants else { return nil }
      return FrameStep(property: property, instants)
    }

    /// The box of all places, in degrees.
    var box: Box<Double> {
      var box = examination.coordinates.box
      guard let end = connections?.destination else { return box }
      func range(_ name: String) -> ColumnProfile? {
        examination.columns.first { $0.name == name }
      }
      if let x = range(end.x), let y = range(end.y) {
        box.include(x: x.minimum, y: y.minimum)
        box.include(x: x.maximum, y: y.maximum)
      }
      return box
    }

    var points: Int { tracks == nil ? count(.point, .multiPoint) : 0 }
    var lines: Int { tracks ?? count(.lineString, .multiLineString, .collection) }
    var polygons: Int { count(.polygon, .multiPolygon, .collection) }

    /// Whether points are so many that they are shown as clusters.
    var isClustered: Bool {
      ![nil, .time].contains(look)
        || points > (roles.lead == nil ? Self.clusterThreshold : Self.dotThreshold)
    }

    /// Up to this number of points without a value each is drawn by itself: a circle of 12 px has
    /// room for some hundreds on a screen.
    static let clusterThreshold = 400

    /// Up to this number of points with a value each is a dot in its colour: the value is what the
    /// map is about, and a cluster would hide it.
    static let dotThreshold = 5000

    /// From this number of points on bubbles fill the map at most zooms, and hexagons show more.
    static let hexagonThreshold = 200_000
  }

  var records: RecordFacts? {
    if case .records(let facts) = content { facts } else { nil }
  }
}

/// The time from frame to frame that suits the instants of records.
struct FrameStep {
  /// The property that holds the instants.
  let property: String

  /// The days from the first to the last record.
  let days: Int

  /// The time from frame to frame as `every` has it.
  let every: String

  /// The same in words.
  let words: String

  /// The most frames, unless there are as many years.
  private static let frameLimit = 60

  /// - Parameter instants: in seconds.
  /// - Returns: `nil` where the instants span less than two days.
  init?(property: String, _ instants: ClosedRange<Int64>) {
    let hours = (instants.upperBound - instants.lowerBound) / 3600
    guard hours >= 48 else { return nil }
    self.property = property
    days = Int(hours / 24)
    let steps: [(hours: Int64, every: String, words: String)] = [
      (1, "1h", "hour"), (6, "6h", "six hours"), (24, "1d", "day"), (7 * 24, "7d", "week"),
      (28 * 24, "28d", "four weeks"),
    ]
    let step = steps.first { hours / $0.hours < Self.frameLimit }
    (every, words) = step.map { ($0.every, $0.words) } ?? ("365d", "year")
  }
}

/// A name made from a file's: ASCII letters, digits, hyphens and underscores.
enum DraftName {
  /// Returns a name that is not taken yet.
  ///
  /// - Parameter text: the file's name without its ending, or a table's.
  static func unique(_ text: String, besides taken: [String]) -> String {
    let letters = text.unicodeScalars.map { scalar -> Character in
      let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
      return isKept || scalar == "_" ? Character(scalar) : "-"
    }
    let parts = String(letters).split(separator: "-", omittingEmptySubsequences: true)
    let plain = String(parts.joined(separator: "-").prefix(60))
    let base = plain.isEmpty ? "data" : plain
    var name = base
    var number = 2
    while taken.contains(name) {
      name = "\(base)-\(number)"
      number += 1
    }
    return name
  }
}
