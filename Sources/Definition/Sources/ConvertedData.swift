import Fetching
package import GDAL
import Runs
import SystemPackage
import Unpacking

extension PipelineDefinition {
  /// Finds the sources whose data GDAL converts, so that it is converted when it is first read.
  package mutating func findConverted(_ surroundings: GDALSurroundings) {
    var surroundings = surroundings
    surroundings.secrets += redactions.values
    for index in sources.indices where sources[index].converted == nil {
      sources[index].converted = sources[index].conversion(surroundings)
      sources[index].convertParts(surroundings)
    }
    for index in sources.indices where sources[index].warped == nil {
      sources[index].warped = sources[index].rasterConversion(surroundings, finest: finestZoom)
    }
  }

  /// Leads warped images to the highest zoom, which is lower now.
  mutating func coarsenWarped() {
    for index in sources.indices {
      sources[index].warped = sources[index].warped?.to(finest: finestZoom)
    }
  }

  /// The zoom of 256-pixel tiles whose pixels are at least as fine as those of any tile.
  private var finestZoom: Int {
    let side = tiles.tileSize * (tiles.scales.max() ?? 1)
    var zoom = tiles.maxZoom
    while 256 << (zoom - tiles.maxZoom) < side { zoom += 1 }
    return zoom
  }
}

extension SourceDefinition {
  fileprivate func conversion(_ surroundings: GDALSurroundings) -> VectorConversion? {
    guard let format = records?.format as? OGRSource, absence == nil else { return nil }
    let origin: VectorConversion.Origin
    var name = shownName ?? dataName
    switch data {
    case .file(let path): origin = .file(path, called: nil, member: Self.chosen(member, of: path))
    case .fetched(let files) where files.count == 1:
      let path = files[0].path.string
      let address = files[0].uri.prefix { $0 != "?" && $0 != "#" }
      let called = address.split(separator: "/").last.map(String.init)
      origin = .file(path, called: called, member: Self.chosen(member, of: path))
    case .connection(let connection):
      origin = .database(connection)
      name = OGRSource.databaseName(format.selection)
    case .fetched, .url, .patterns, .parts, .inline, .standardInput, .none: return nil
    }
    return VectorConversion(origin, name: name, format.selection, surroundings)
  }

  /// Finds the conversions of several files: each is converted when it is first read.
  fileprivate mutating func convertParts(_ surroundings: GDALSurroundings) {
    guard let format = records?.format as? OGRSource, case .parts(var parts) = data else { return }
    for index in parts.indices {
      let part = parts[index]
      let member = Self.chosen(part.member, of: part.path)
      parts[index].converted = VectorConversion(
        .file(part.path, called: nil, member: member), name: part.name, format.selection,
        surroundings)
    }
    data = .parts(parts)
  }

  /// Returns the member of a zip file that is named, or the only one of a format that has one file.
  private static func chosen(_ member: String?, of path: String) -> String? {
    guard member == nil else { return member }
    var wanted = PackedInput.Wanted()
    wanted.endings = OGRSource.endings
    let packed = PackedInput(
      .file(FilePath(path)), name: path, wanted: wanted,
      PackedInput.Surroundings(folder: FilePath(path).removingLastComponent()))
    return packed?.member
  }

  /// The password of a connection; `nil` without one.
  var connectionPassword: String? {
    if case .connection(let connection) = data { connection.password } else { nil }
  }
}

extension OGRSource {
  /// The name of the records of a database, without the connection, which is a secret.
  static func databaseName(_ selection: VectorSelection) -> String {
    "the database" + (selection.layer.map { ", table \($0)" } ?? "")
  }
}

extension SourceDecoder {
  /// Decodes the connection to a database; `nil` for other data.
  func connection(
    _ member: DocumentMember, _ format: (any FeatureSource.Type)?
  ) throws(PipelineError) -> DataLocation? {
    guard let text = member.node.text, format == OGRSource.self else { return nil }
    if text.hasPrefix("/vsi") {
      throw PipelineError(
        .definition,
        "'\(member.key)' is a file or an http(s) url; GDAL's own addresses (/vsi…) are refused.",
        at: member.node.place)
    }
    guard DatabaseConnection.isMeant(by: text) else { return nil }
    guard !paths.isRemote else {
      throw PipelineError(
        .definition, "a pipeline behind a url cannot connect to a database. Save it as a file.",
        at: member.node.place)
    }
    do {
      return .connection(try DatabaseConnection(text))
    } catch {
      throw PipelineError(.definition, error.message, at: member.node.place)
    }
  }
}
