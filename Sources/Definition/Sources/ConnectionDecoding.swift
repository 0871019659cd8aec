import GDAL
import Runs

extension SourceDecoder {
  /// Decodes the connection to a database; `nil` for other data.
  func connection(
    _ member: DocumentMember, _ format: (any FeatureSource.Type)?
  ) throws(PipelineError) -> DataLocation? {
    guard let text = member.node.text, format == OGRSource.self else { return nil }
    if text.hasPrefix("/vsi") {
      throw member.node.place.fault(
        "'\(member.key)' is a file or an http(s) url; GDAL's own addresses (/vsi…) are refused.")
    }
    guard DatabaseConnection.isMeant(by: text) else { return nil }
    guard !paths.isRemote else {
      throw member.node.place.fault(
        "a pipeline behind a url cannot connect to a database. Save it as a file.")
    }
    do {
      return .connection(try DatabaseConnection(text))
    } catch {
      throw member.node.place.fault(error.message)
    }
  }
}

extension VectorSelection {
  /// The name of the records of a database, without the connection, which is a secret.
  package var databaseName: String { "the database" + (layer.map { ", table \($0)" } ?? "") }
}
