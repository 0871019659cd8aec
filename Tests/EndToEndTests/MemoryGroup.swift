import Foundation
import Platform

/// A control group whose memory is limited by the system, of either version of Linux' cgroups.
///
/// Made where this process may make one, that is as root on a machine or in a container that
/// delegates them; removed with the object.
final class MemoryGroup {
  private let path: String
  private let isSecondVersion: Bool

  /// Whether a group can be made here.
  static let isAvailable = MemoryGroup(limit: 1 << 30) != nil

  /// Starts a command in the group.
  var launcher: [String] {
    ["sh", "-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"", path]
  }

  /// Creates a group; `nil` where that is not possible.
  init?(limit: Int) {
    let roots = [("/sys/fs/cgroup", true), ("/sys/fs/cgroup/memory", false)]
    for (root, isSecondVersion) in roots {
      let path = "\(root)/quadrille-\(UUID().uuidString)"
      guard mkdir(path, 0o755) == 0 else { continue }
      let file = "\(path)/\(isSecondVersion ? "memory.max" : "memory.limit_in_bytes")"
      if FileManager.default.fileExists(atPath: file),
        (try? Data("\(limit)".utf8).write(to: URL(filePath: file))) != nil
      {
        self.path = path
        self.isSecondVersion = isSecondVersion
        return
      }
      rmdir(path)
    }
    return nil
  }

  deinit { rmdir(path) }

  /// The anonymous memory of the group, in bytes.
  var anonymousBytes: Int {
    let name = isSecondVersion ? "anon" : "rss"
    let text = try? String(contentsOfFile: "\(path)/memory.stat", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
  }
}
