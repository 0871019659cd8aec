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
    }
  }
}

extension SourceDefinition {
  fileprivate func conversion(_ surroundings: GDALSurroundings) -> VectorConversion? {
    guard let format = records?.format as? OGRSource, absence == nil else { return nil }
    let origin: VectorConversion.Origin
    var name = shownName ?? dataName
    switch data {
    case .file(let path): origin = .file(path, called: nil, member: chosenMember(path))
    case .fetched(let files) where files.count == 1:
      let path = files[0].path.string
      let address = files[0].uri.prefix { $0 != "?" && $0 != "#" }
      let called = address.split(separator: "/").last.map(String.init)
      origin = .file(path, called: called, member: chosenMember(path))
    case .connection(let connection):
      origin = .database(connection)
      name = OGRSource.databaseName(format.selection)
    case .fetched, .url, .patterns, .parts, .inline, .standardInput, .none: return nil
    }
    return VectorConversion(origin, name: name, format.selection, surroundings)
  }

  /// The member of a zip file that is named, or the only one of a format that has one file.
  private func chosenMember(_ path: String) -> String? {
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
