import Foundation
import TestSupport

/// One system call of a run, as `strace -e inject=NAME:…:when=ORDINAL` finds it again.
struct SystemCall: Hashable, Sendable, CustomStringConvertible {
  let name: String
  /// Counted from 1 among the calls of this name of one thread, as strace counts.
  let ordinal: Int
  /// The line of the trace without the number of the process.
  let line: String

  var description: String { "\(name) \(ordinal): \(line.prefix(120))" }

  /// What decides a publication: after each of these another state is on the disk.
  var isDecisive: Bool {
    !["openat", "pwrite64", "write", "read", "pread64", "close", "mmap"].contains(name)
  }

  /// The calls that change or read files; `?` lets strace do without those that a machine lacks.
  static let names = [
    "openat", "pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "renameat",
    "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat",
  ]

  /// The calls of a trace (`strace -f -y`) whose line names a folder, or one of other places; no two are
  /// the same.
  ///
  /// - Complexity: O(bytes of the trace).
  static func parse(
    _ trace: String, folder: String, places: [String]? = nil
  ) -> [SystemCall] {
    let places = places ?? [folder]
    var counts: [String: Int] = [:]
    var seen: Set<String> = []
    var calls: [SystemCall] = []
    for line in trace.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { continue }
      let call = words[1].drop { $0 == " " }
      // Lines of signals, exits and ends of interrupted calls have no name first.
      guard let parenthesis = call.firstIndex(of: "("), call.first?.isLetter == true else {
        continue
      }
      let name = String(call[..<parenthesis])
      let ordinal = counts[words[0] + name, default: 0] + 1
      counts[words[0] + name] = ordinal
      guard places.contains(where: { call.contains($0) }),
        seen.insert("\(name) \(ordinal)").inserted
      else { continue }
      let text = String(call).replacing(folder, with: "DIR")
      calls.append(SystemCall(name: name, ordinal: ordinal, line: text))
    }
    return calls
  }
}

extension [SystemCall] {
  /// At most so many of each name, evenly spread with the first and the last; all that are decisive.
  func sample(_ limit: Int) -> [SystemCall] {
    let groups = Dictionary(grouping: self, by: \.name)
    return groups.keys.sorted().flatMap { name -> [SystemCall] in
      guard let group = groups[name] else { return [] }
      if group.count <= limit || group[0].isDecisive { return group }
      guard limit > 1 else { return Array(group.suffix(limit)) }
      return (0..<limit).map { group[$0 * (group.count - 1) / (limit - 1)] }
    }
  }
}
