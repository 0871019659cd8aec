package import Definition
import Features
import JSON
import OrderedCollections
package import Runs
import SystemPackage

extension PipelineDefinition {
  /// Creates the pipeline of nothing but the vector tiles of a file or folder, for a query.
  package init(tileset path: String) throws(PipelineError) {
    let file = FilePath(path)
    let name = String(
      (file.stem ?? "tiles").filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    let source = name.isEmpty ? "tiles" : name
    let data = file.lastComponent?.string ?? path
    let members: PropertyValue = .object([
      "version": .number(1), "name": .string(source),
      "sources": .object([
        source: .object(["type": .string("vector"), "data": .string("./" + data)])
      ]),
      "output": .object(["path": .string("\(source).query.mbtiles")]),
    ])
    try self.init(
      Document(
        bytes: Array(JSONWriter.text(members).utf8),
        file: file.removingLastComponent().appending("\(source).query.yml").string,
        environment: { _ in nil }))
  }
}
