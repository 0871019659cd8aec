import Baking
import Definition
import Inputs
import Features
import Fetching
import MBTiles
import Reuse
import Runs
import SystemPackage
import Tiling

// The values of other targets in the form of a plan, and back.

extension PlanDocument.Bounds {
  init(_ bounds: GeoBounds) {
    self.init(west: bounds.west, south: bounds.south, east: bounds.east, north: bounds.north)
  }

  var value: GeoBounds { GeoBounds(west: west, south: south, east: east, north: north) }
}

extension PlanDocument.Fetched {
  init(_ file: FetchedFile) {
    self.init(
      uri: file.uri, path: file.path.string, etag: file.etag, lastModified: file.lastModified,
      sha256: file.sha256, bytes: file.bytes, isLastGood: file.origin == .lastGood ? true : nil)
  }

  /// - Parameter copies: the copies of input files, by their paths.
  func value(_ copies: [String: String]) -> FetchedFile {
    FetchedFile(
      uri: uri, path: FilePath(copies[path] ?? path), etag: etag, lastModified: lastModified,
      sha256: sha256, bytes: bytes, origin: isLastGood == true ? .lastGood : .cache, checked: 0)
  }
}

extension PlanDocument.Extent {
  init(_ extent: TileExtent) {
    self.init(
      zoom: extent.zoom, columns: [extent.columns.lowerBound, extent.columns.upperBound],
      rows: [extent.rows.lowerBound, extent.rows.upperBound])
  }

  /// The extent; `nil` if it is not one.
  var value: TileExtent? {
    guard columns.count == 2, rows.count == 2 else { return nil }
    let corners = zip(columns, rows).map { TileCoord(z: zoom, x: $0, y: $1) }
    guard corners.allSatisfy(\.isValid) else { return nil }
    var extent = TileExtent(corners[0])
    extent.include(corners[1])
    return extent
  }
}

extension PlanDocument.Inputs {
  init(_ provenance: Provenance) {
    self.init(
      options: provenance.options,
      sources: provenance.sources.map { source in
        Source(name: source.name, files: source.files.map(File.init))
      }, fonts: provenance.fonts.map(File.init),
      sprites: provenance.sprites.map(File.init),
      libraries: provenance.libraries)
  }

  /// - Parameter program: SHA-256 of the program's file.
  func value(program: String) -> Provenance {
    Provenance(
      program: program, options: options,
      sources: sources.map { source in
        Provenance.Source(name: source.name, files: source.files.compactMap(\.value))
      }, fonts: fonts.compactMap(\.value), sprites: sprites.compactMap(\.value),
      libraries: libraries)
  }
}

extension PlanDocument.Inputs.File {
  init(_ file: Provenance.File) {
    self.init(role: file.role.rawValue, name: file.name, sha256: file.sha256)
  }

  var value: Provenance.File? {
    Provenance.Role(rawValue: role).map { Provenance.File(role: $0, name: name, sha256: sha256) }
  }
}

extension PlanDocument.Options {
  init(of build: Build) {
    let (options, definition) = (build.options, build.definition)
    let last =
      definition.endsAtImages ? build.choice?.wanted ?? definition.tiles.maxZoom : nil
    self.init(
      output: options.output, minZoom: options.minZoom, maxZoom: options.maxZoom ?? last,
      bounds: options.bounds.map { PlanDocument.Bounds($0) }, choice: build.choice)
  }
}

extension PlanDocument.Source {
  init(_ source: ResolvedSource) {
    self.init(
      name: source.name, layer: source.keyLayer,
      fetched: source.origin.fetched.map(PlanDocument.Fetched.init),
      absence: source.absence?.reason, absentAddresses: source.absence?.addresses.sorted() ?? [],
      notes: source.notes)
  }
}

extension PlanDocument.Archive {
  init(_ plan: ArchivePlan, _ planned: PlannedTiles, _ inputs: PlanDocument.Inputs) {
    let hash = planned.rowsHash
    self.init(
      scale: plan.scale, rows: plan.rows.count, rowsHash: [hash.high, hash.low],
      drawsAnything: plan.drawsAnything, layout: plan.decision.layout.rawValue,
      estimate: plan.decision.estimate.map {
        PlanDocument.Estimate(
          rows: $0.rows, images: $0.images, bytesPerImage: $0.bytesPerImage,
          secondsPerImage: $0.secondsBySize)
      }, paint: plan.paint.text, extents: planned.extents.map { PlanDocument.Extent($0) },
      notes: plan.notes, inputs: inputs)
  }
}

extension PlanDocument.Archive {
  /// The hash of all rows and their scenes.
  var hash: StableHash {
    var hash = StableHash()
    guard rowsHash.count == 2 else { return hash }
    (hash.high, hash.low) = (rowsHash[0], rowsHash[1])
    return hash
  }

  /// Returns the plan of the archive.
  func plan(_ rows: PlannedRows) throws(PipelineError) -> ArchivePlan {
    guard let layout = ArchiveLayout(rawValue: layout) else {
      throw PipelineError(.badData, "'\(layout)' is no layout of an archive. Make the plan again.")
    }
    return ArchivePlan(
      scale: scale, rows: rows, drawsAnything: drawsAnything,
      decision: LayoutDecision(
        layout: layout,
        estimate: estimate.map {
          TileEstimate(
            rows: $0.rows, images: $0.images, bytesPerImage: $0.bytesPerImage,
            secondsPerImage: $0.secondsPerImage)
        }), paint: PaintKey(text: paint), notes: notes)
  }
}
