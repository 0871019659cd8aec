import Foundation

/// What the harness reads of the report of a build.
struct BuildReport: Decodable {
  struct Stage: Decodable {
    var name: String
    var seconds: Double
  }

  struct Source: Decodable {
    var used: Int
  }

  struct Tiles: Decodable {
    var planned: Int
    var rendered: Int
    var bytes: Int
  }

  struct Archive: Decodable {
    var bytes: Int
    var digest: String
  }

  var result: String
  var sources: [String: Source]
  var stages: [Stage]
  var tiles: Tiles
  var archive: Archive

  init(contentsOf path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    self = try JSONDecoder().decode(BuildReport.self, from: data)
  }

  /// Wall-clock seconds of a stage; `nil` if it did not run.
  func seconds(_ stage: String) -> Double? {
    let matching = stages.filter { $0.name == stage }
    return matching.isEmpty ? nil : matching.reduce(0) { $0 + $1.seconds }
  }
}
