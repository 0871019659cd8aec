import Baking
import Definition
import Fetching
import Inputs
import MBTiles
import Reuse
import Tiling

// The values of other targets in the form of a plan, and back.

extension FetchedFile {
  /// The file as a plan lists it: whether a server sent it depends on the run.
  var planned: FetchedFile {
    var file = self
    if origin != .lastGood { file.origin = .cache }
    return file
  }

  /// Returns the file at the place of its copy.
  ///
  /// - Parameter copies: the copies of input files, by their paths.
  func copied(_ copies: [String: String]) -> FetchedFile {
    var file = self
    file.path = copies[path] ?? path
    return file
  }
}

extension TileExtent {
  /// Whether the columns and rows are those of tiles of the zoom.
  var isOfTiles: Bool {
    TileCoord(z: zoom, x: columns.lowerBound, y: rows.lowerBound).isValid
      && TileCoord(z: zoom, x: columns.upperBound, y: rows.upperBound).isValid
  }
}

extension PlanDocument.Options {
  init(of build: Build) {
    let (options, definition) = (build.options, build.definition)
    let last =
      definition.endsAtImages ? build.choice?.wanted ?? definition.tiles.maxZoom : nil
    self.init(
      output: options.output, minZoom: options.minZoom, maxZoom: options.maxZoom ?? last,
      bounds: options.bounds, choice: build.choice)
  }
}

extension PlanDocument.Source {
  init(_ source: ResolvedSource) {
    self.init(
      name: source.name, layer: source.keyLayer,
      fetched: source.origin.fetched.map(\.planned),
      absence: source.absence?.reason, absentAddresses: source.absence?.addresses.sorted() ?? [],
      notes: source.notes, tileset: source.outline, pictures: source.pictures)
  }
}

extension [ResolvedSource] {
  /// The sources as a plan lists them; the facts about a tileset are with the first of its parts.
  var planned: [PlanDocument.Source] {
    var tilesets: Set<String> = []
    return map { source in
      var planned = PlanDocument.Source(source)
      if let name = source.tileset, !tilesets.insert(name).inserted { planned.tileset = nil }
      return planned
    }
  }
}

extension PlanDocument.Archive {
  init(_ plan: ArchivePlan, _ planned: PlannedTiles, _ inputs: Provenance) {
    var decision = plan.decision
    if let estimate = decision.estimate {
      decision.estimate?.secondsPerImage = estimate.secondsBySize
    }
    self.init(
      scale: plan.scale, rows: plan.rows.count, drawsAnything: plan.drawsAnything,
      decision: decision, paint: plan.paint.text,
      extents: planned.extents, notes: plan.notes, inputs: inputs)
  }

  /// Returns the plan of the archive.
  func plan(_ rows: PlannedRows) -> ArchivePlan {
    ArchivePlan(
      scale: scale, rows: rows, drawsAnything: drawsAnything, decision: decision,
      paint: PaintKey(text: paint), notes: notes)
  }
}
