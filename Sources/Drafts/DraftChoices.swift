import Definition
import Examination
import Features
import Ingest
import Inputs
import OrderedCollections
import Runs

extension PipelineDraft {
  /// The looks of points, other than bubbles with their number where they crowd.
  package enum Look: String, CaseIterable, Hashable, Sendable {
    /// Donuts with a slice for each value of a column.
    case donuts
    /// Hexagons that are darker the more points they hold.
    case hexagons
    /// A map for each step of time, of the records in it.
    case time
  }

  /// The choices that a user makes instead of the drafter.
  package struct Choices: Hashable, Sendable {
    /// The column that decides the colours; `nil` for the most interesting.
    package var colorBy: String?

    /// The column that decides the sizes of points and the widths of lines.
    package var sizeBy: String?

    /// The column of labels.
    package var label: String?

    /// The column whose values are the tracks that points are joined to.
    package var groupBy: String?

    /// Whether points are joined to lines; `nil` where they seem to be the vertices of tracks.
    package var lines: Bool?

    /// The reference system of data that does not name its own.
    package var crs: String?

    /// The columns of longitude and latitude; `nil` for those that look like it.
    package var x: String?
    package var y: String?

    /// The column that holds the whole geometry.
    package var geometry: String?

    /// The layer or table of a file of several.
    package var layer: String?

    /// The sheet of a spreadsheet.
    package var sheet: String?

    /// The encoding of the texts.
    package var encoding: String?

    /// The places to which the file, a table, is joined.
    package var join: String?

    /// Whether the user answers ``PipelineDraft/questions``: a guess without reason is asked, not refused.
    package var answersQuestions = false

    /// The look of points; `nil` for bubbles where there are many.
    package var look: Look?

    /// The first and the last zoom.
    package var zooms: ClosedRange<Int>?

    package init() {}
  }
}

/// A flag of the command that was given, and whether a source heeds it.
private struct GivenFlag {
  let name: String

  /// The data for which it is.
  let use: String

  /// The column that it names; `nil` for a flag of another kind.
  var column: String?

  let isHeeded: (SourceDraft) -> Bool

  init?(
    _ name: String, _ value: String?, for use: String, isColumn: Bool = false,
    _ isHeeded: @escaping (SourceDraft, String) -> Bool
  ) {
    guard let value else { return nil }
    self.name = name
    self.use = use
    column = isColumn ? value : nil
    self.isHeeded = { isHeeded($0, value) }
  }
}

extension PipelineDraft.Request {
  private var flags: [GivenFlag] {
    func key(_ name: String) -> (SourceDraft, String) -> Bool {
      { $0.keys[name] == .string($1) }
    }
    return [
      GivenFlag("--x", choices.x, for: "a table with two columns of coordinates", key("x")),
      GivenFlag("--y", choices.y, for: "a table with two columns of coordinates", key("y")),
      GivenFlag("--geometry", choices.geometry, for: "a CSV file or sheet", key("geometry")),
      GivenFlag("--encoding", choices.encoding, for: "CSV files and shapefiles", key("encoding")),
      GivenFlag("--layer", choices.layer, for: "a file of several layers") {
        key("layer")($0, $1) || key("table")($0, $1)
      },
      GivenFlag("--sheet", choices.sheet, for: "a spreadsheet") { source, sheet in
        source.path.hasSuffix("/\(sheet)")
      },
      GivenFlag("--crs", choices.crs, for: "data that can be placed by it") { source, crs in
        source.keys["crs"] == .string(crs) || source.records == nil
      },
      GivenFlag("--bounds", bounds.map { _ in "" }, for: "images without a place") { source, _ in
        source.keys["bounds"] != nil
      },
      GivenFlag(
        "--color-by", choices.colorBy, for: "records whose values of it differ", isColumn: true
      ) { $0.records?.roles.lead?.column == $1 },
      GivenFlag(
        "--size-by", choices.sizeBy, for: "points and lines with numbers in it", isColumn: true
      ) { $0.records?.roles.size == $1 && $0.records?.polygons == 0 },
      GivenFlag("--label", choices.label, for: "points and areas", isColumn: true) {
        $0.records?.roles.name == $1
      },
      GivenFlag("--group-by", choices.groupBy, for: "points that are joined", isColumn: true) {
        $0.records?.tracks != nil && $0.records?.roles.track?.by == $1
      },
      GivenFlag(
        "--lines", choices.lines == true ? "" : nil,
        for: "points with a column of times, steps or tracks"
      ) { source, _ in source.records?.tracks != nil },
      GivenFlag(
        "--look", choices.look?.rawValue,
        for: "points: hexagons for any, donuts for those with a column of 2 to 6 values, time for "
          + "those with a column of instants that span two days"
      ) { $0.records?.look?.rawValue == $1 },
      GivenFlag("--zooms", choices.zooms.map { _ in "" }, for: "other data than tiles") { _, _ in
        true
      },
    ].compactMap(\.self)
  }

  /// Refuses a flag that no source heeds.
  ///
  /// - Parameter sources: the drafts of the sources; empty for tiles.
  func requireHeeded(in sources: [SourceDraft]) throws(PipelineError) {
    let place = DocumentPlace(file: files.first ?? "")
    let known = sources.flatMap { $0.records?.examination.columns.map(\.name) ?? [] }
    for flag in flags where !sources.contains(where: flag.isHeeded) {
      if let column = flag.column, !sources.isEmpty, !known.contains(column) {
        throw PipelineError.unknownColumn(.usage, column, known: known, at: place)
      }
      throw PipelineError(
        .usage, "'\(flag.name)' is for \(flag.use), and nothing here is that. Leave it out.",
        at: place)
    }
  }
}

extension SourceDraft {
  /// The path or url of the data, as the pipeline has it.
  fileprivate var path: String {
    for key in ["data", "url"] {
      if case .string(let path)? = keys[key] { return path }
    }
    return ""
  }
}
