package import Definition
package import Files
package import GDAL
package import Runs
package import Tiling
package import Unpacking

/// A source whose data is found: its definition, and where the bytes come from in this run.
package struct ResolvedSource: Sendable {
  package var definition: SourceDefinition

  package internal(set) var origin: any DataOrigin

  /// The image, if GDAL warps it.
  package internal(set) var warped: WarpedImage?

  /// The reason why the source is left out of this run; `nil` for a source that takes part.
  package var absence: Absence?

  /// Notes for the user on the files that this run found, a sentence each.
  package var notes: [String] = []

  /// The table or layer that the keys of its features name; `nil` if the data names it.
  package var layerName: String?

  /// The name in the pipeline file if this source was made for a layer of its vector tiles; `nil`
  /// for a source of the file itself.
  package internal(set) var tileset: String?

  /// The facts about the tileset of a part; of a whole tileset if an earlier run found them, and read
  /// the parts.
  package var outline: TilesetOutline?

  /// The tiles that all parts of the tileset share; `nil` where a part reads its own.
  package var sharedTiles: SharedTiles?

  /// The joined tables that are packed, or sheets of a spreadsheet, by their names in messages.
  package var packedTables: [String: PackedInput] = [:]

  /// The function that fetches the frames of a series.
  package var frameFetch: FrameFetch?

  /// The function that fetches the tiles of templates.
  package var tileFetch: TileFetch?

  /// A source without data in this run.
  package struct Absence: Hashable, Sendable {
    package let reason: String

    /// The addresses, without secrets, of the files that are unavailable.
    package let addresses: Set<String>

    package init(reason: String, addresses: Set<String>) {
      (self.reason, self.addresses) = (reason, addresses)
    }
  }

  package init(_ definition: SourceDefinition, _ origin: any DataOrigin) {
    self.definition = definition
    self.origin = origin
  }

  // MARK: Values of the definition

  package var name: String { definition.name }

  /// The name in the pipeline file.
  package var nameInFile: String { tileset ?? name }

  /// The name of the source in messages, with the layer and zoom of vector tiles.
  package var title: String {
    guard let part = definition.vectorTiles?.part else { return name }
    return "\(nameInFile), layer \(part.layer) of zoom \(part.zoom)"
  }

  package var type: String { definition.type }
  package var place: DocumentPlace { definition.place }
  package var node: DocumentNode { definition.node }
  package var image: ImageDefinition? { definition.image }
  package var series: SeriesDefinition? { definition.series }

  package var records: RecordDefinition? {
    get { definition.records }
    set { definition.records = newValue }
  }

  // MARK: The data

  /// The box of the vector tiles; `nil` for other data.
  package var tilesBox: GeoBounds? { (origin as? TilesetData)?.box }

  /// The name of the data in messages.
  package var dataName: String { origin.name }

  /// The conversion of records by GDAL; `nil` for data that is read as it is.
  package var conversion: VectorConversion? {
    (origin as? ConvertedData)?.conversion ?? (origin as? DatabaseData)?.conversion
  }

  /// The packed content; `nil` for data that is not packed, or consists of several files.
  var packed: PackedInput? { (origin as? PackedData)?.packed }

  /// The path of the data, if that is one file of this machine that is read as it is.
  package var plainFile: String? {
    guard let file = origin as? LocalFile, file.canBeReadAgain else { return nil }
    return file.file
  }

  /// The files that are held open for the run; others are opened by their path.
  package var held: [HeldFile] { origin.held }

  /// Whether the data is packed, in one file.
  package var isPacked: Bool { packed != nil }

  /// The files of the source: its data, its world file, the files that change its records.
  package var inputFiles: [InputFile] {
    var files = warped?.files ?? origin.files
    // A named world file is on this machine and not beside a fetched image.
    if warped == nil, let worldFile { files.append(InputFile(.worldFile, path: worldFile)) }
    return files + (records?.changes.files ?? []).map { InputFile(.change, path: $0) }
  }

  /// The files on this machine that determine the records.
  package var recordFiles: [String] {
    origin.files.compactMap(\.path) + (records?.changes.files ?? [])
  }

  /// Whether the data can be read a second time; a pipe delivers its bytes once.
  package var canBeReadAgain: Bool {
    records == nil || absence != nil || origin.canBeReadAgain
  }
}
