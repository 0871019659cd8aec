import Foundation
import TestSupport

/// What is in a folder, as far as two runs of the same inputs must agree.
struct FolderState: Sendable {
  /// The published files that are there.
  var bytes: [String: [UInt8]] = [:]

  /// The names of all files, folders within too; digests and numbers of processes as `*`.
  let names: Set<String>

  /// What the reports beside the archives say about them, by name.
  private var reports: [String: Digest] = [:]

  private struct Digest: Decodable, Hashable {
    struct Archive: Decodable, Hashable {
      var digest: String
      var bytes: Int
    }

    var archive: Archive?
  }

  init(_ folder: URL, published: [String]) throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    names = Set(paths.map { $0.replacing(#/[0-9a-f]{64}/#, with: "*") })
    for name in published {
      bytes[name] = (try? Data(contentsOf: folder.appendingPathComponent(name))).map { [UInt8]($0) }
    }
    for path in paths where path.contains(".report.json") {
      reports[path] = try? JSONDecoder().decode(
        Digest.self, from: Data(contentsOf: folder.appendingPathComponent(path)))
    }
  }

  /// Sentences about what differs from the state after a run without a fault.
  func complaints(comparedTo other: FolderState) -> [String] {
    var complaints: [String] = []
    for name in other.bytes.keys.sorted() where bytes[name] != other.bytes[name] {
      complaints.append("\(name) is not what a run without a fault makes")
    }
    let leftovers = names.subtracting(other.names).sorted()
    if !leftovers.isEmpty { complaints.append("left behind: \(leftovers)") }
    let missing = other.names.subtracting(names).sorted()
    if !missing.isEmpty { complaints.append("missing: \(missing)") }
    for name in other.reports.keys.sorted() where reports[name] != other.reports[name] {
      complaints.append("\(name) does not describe the archive beside it")
    }
    return complaints
  }
}
