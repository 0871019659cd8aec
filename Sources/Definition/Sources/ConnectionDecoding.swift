import GDAL
import Runs

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

extension VectorSelection {
  /// The name of the records of a database, without the connection, which is a secret.
  package var databaseName: String { "the database" + (layer.map { ", table \($0)" } ?? "") }
}
