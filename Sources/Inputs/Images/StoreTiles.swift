import Definition
import Features
import GeoPackages
import Overlays
package import Runs
import Styling
import SystemPackage

extension ResolvedPipeline {
  /// Replaces the GeoPackages of a SpatialConnect config by sources of their content: records,
  /// images, or both; and notes the tables of tiles that other GeoPackages have beside the records
  /// that are read.
  ///
  /// - Throws: ``PipelineError`` where a layer draws content that a store does not have, and the
  ///   errors of the tiles of a store without records.
  package mutating func resolveStores() throws(PipelineError) {
    for source in sources {
      guard let tables = try source.tileTables() else { continue }
      if source.records?.isStore == true {
        try resolve(source, tables)
        for index in sources.indices where sources[index].name == source.name {
          sources[index].records?.isStore = false
        }
      } else if !tables.names.isEmpty, !isDrawn(tables.path) {
        note(
          source.name,
          "the GeoPackage of source '\(source.name)' also holds tiles (\(tables.list)), which it does "
            + "not draw; a source of 'type: image' does, with 'url:' and 'table:'.")
      }
    }
  }

  /// Whether a source of images has its data in a file.
  private func isDrawn(_ path: FilePath) -> Bool {
    sources.contains { $0.image != nil && $0.origin.storedFile == path }
  }

  private mutating func note(_ name: String, _ text: String) {
    guard let index = sources.firstIndex(where: { $0.name == name }) else { return }
    sources[index].notes.append(text)
  }

  /// Adds sources of images beside a store, or in its place.
  private mutating func resolve(
    _ store: ResolvedSource, _ tables: TileTables
  ) throws(PipelineError) {
    let own = definition.layers.filter { $0.source == store.name }
    guard !tables.names.isEmpty else {
      guard let raster = own.first(where: { $0.type == .raster }) else { return }
      throw PipelineError(
        .definition,
        "layer '\(raster.id)' draws images, but the GeoPackage of store '\(store.name)' holds no tiles.",
        at: raster.place)
    }
    let drawn = tables.hasRecords ? tables.drawable : tables.names
    for (table, reason) in tables.faults where tables.hasRecords {
      note(
        store.name,
        "the tiles '\(table)' of store '\(store.name)' are not drawn, unlike its features: \(reason)"
      )
    }
    let images = drawn.map { table in
      let isAlone = drawn.count == 1 && !tables.hasRecords
      return store.image(table: table, named: isAlone ? store.name : "\(store.name)/\(table)")
    }
    guard let index = sources.firstIndex(where: { $0.name == store.name }) else { return }
    sources.insert(contentsOf: images, at: index)
    if !tables.hasRecords { sources.removeAll { $0.name == store.name && $0.records != nil } }
    if images.isEmpty { return }
    replaceLayers(of: store, by: images, hasRecords: tables.hasRecords)
  }

  /// Assigns the images of a store to its raster layers, and leaves the records to its other
  /// layers.
  private mutating func replaceLayers(
    of store: ResolvedSource, by images: [ResolvedSource], hasRecords: Bool
  ) {
    let own = definition.layers.filter { $0.source == store.name }
    var layers = definition.layers
    defer { definition.layers = layers }
    // Images are drawn below the layers of the records.
    if store.definition.hasDefaultLook,
      let first = layers.firstIndex(where: { $0.source == store.name })
    {
      layers.insert(
        contentsOf: images.flatMap {
          SimpleStyle.layers(
            of: $0.definition, look: SimpleLook(), drawsImages: true, at: store.place)
        }, at: first)
    } else if !own.contains(where: { $0.type == .raster }) {
      note(
        images.first?.name ?? store.name,
        "store '\(store.name)' holds tiles, which no layer of 'type: raster' draws.")
    }
    let names = Set(images.map(\.name))
    layers = layers.flatMap { layer -> [LayerDefinition] in
      guard layer.source == store.name, own.contains(where: { $0.id == layer.id }) else {
        return [layer]
      }
      guard layer.type == .raster else { return hasRecords ? [layer] : [] }
      return images.map { image in
        var copy = layer
        copy.source = image.name
        if names.count > 1 { copy.id = "\(layer.id)/\(image.image?.table ?? "")" }
        return copy
      }
    }
    let lost = own.filter { $0.type != .raster }
    if !hasRecords, !store.definition.hasDefaultLook, let first = lost.first {
      note(
        images.first?.name ?? store.name,
        "store '\(store.name)' holds tiles and no features: "
          + (lost.count == 1 ? "layer '\(first.id)' draws" : "\(lost.count) layers draw")
          + " nothing.")
    }
  }
}

/// The tables of tiles of a GeoPackage that is read for its records.
private struct TileTables {
  let path: FilePath
  /// Whether there is a table of features or attributes that the source reads.
  var hasRecords = false
  /// The tables of tiles that the source's `table` covers, by name.
  var names: [String] = []
  /// The tables that can be drawn.
  var drawable: [String] = []
  /// The tables that cannot be drawn, with the reasons.
  var faults: [(table: String, reason: String)] = []

  /// The names for a message.
  var list: String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }
}

extension ResolvedSource {
  /// Returns the file whose tables are listed; `nil` for none.
  ///
  /// - Throws: the errors of unpacking a store; other packed data is unpacked when it is read.
  private func readablePath() throws -> FilePath? {
    packed == nil || records?.isStore == true ? try origin.path() : nil
  }

  /// Returns the tables of tiles of the GeoPackage; `nil` for other sources, and for a file that
  /// cannot be opened, which its reader reports.
  fileprivate func tileTables() throws(PipelineError) -> TileTables? {
    let path = try PipelineError.wrapping { try readablePath() }
    guard let records, let format = records.format as? GeoPackageSource, let path,
      let file = try? GeoPackageFile(path: path, name: dataName)
    else { return nil }
    let table = format.table.flatMap { $0 == GeoPackageSource.allTables ? nil : $0.lowercased() }
    let isOne = table != nil
    let covered = file.contents.filter { !isOne || $0.table.lowercased() == table }
    var tables = TileTables(path: path)
    tables.hasRecords = covered.contains { $0.kind == .features }
    if isOne, !tables.hasRecords { tables.hasRecords = covered.contains { $0.kind == .attributes } }
    tables.names = covered.filter { $0.kind == .tiles }.map(\.table)
    guard records.isStore else { return tables }
    for table in tables.names {
      do throws(SourceError) {
        _ = try GeoPackageTiles(file, table: table).choice(
          pixelLimit: Self.mosaicPixels, sideLimit: ImageLimits().maxSide)
        tables.drawable.append(table)
      } catch {
        tables.faults.append((table, error.message))
      }
    }
    return tables
  }

  /// Returns the store as a source of the images in one of its tables.
  fileprivate func image(table: String, named name: String) -> ResolvedSource {
    var source = self
    source.definition.name = name
    source.definition.kind = .image(ImageDefinition(table: table))
    return source
  }
}
