import Foundation

/// The processors that this process may use.
package enum Processors {
  /// The number of processors: the system's, limited by Slurm's `SLURM_CPUS_PER_TASK`, the
  /// process's affinity mask and the quota of its control group, rounded up.
  package static let available = limited(
    ProcessInfo.processInfo.activeProcessorCount,
    by: [
      ProcessInfo.processInfo.environment["SLURM_CPUS_PER_TASK"].flatMap { Int($0) },
      affinity(status: text("/proc/self/status") ?? ""),
      quota(groups: text("/proc/self/cgroup") ?? "", text: text),
    ])

  /// Returns the minimum; limits that are missing or not positive are ignored.
  static func limited(_ count: Int, by limits: [Int?]) -> Int {
    max(1, limits.compactMap { $0 }.filter { $0 > 0 }.reduce(count, min))
  }

  /// Returns the number of processors in the affinity mask of a process; `nil` where the system does
  /// not tell it.
  ///
  /// - Parameter status: the content of `/proc/self/status`.
  static func affinity(status: String) -> Int? {
    let name = "Cpus_allowed:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
      return nil
    }
    // A mask in hexadecimal digits, in groups of eight.
    let digits = line.dropFirst(name.count).filter { $0 != "," && !$0.isWhitespace }
    guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else { return nil }
    return digits.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
  }

  /// Returns the quota of the innermost and outer control groups of a process, rounded up; `nil`
  /// without any.
  ///
  /// - Parameters:
  ///   - groups: the content of `/proc/self/cgroup`, such as `0::/system.slice/job.scope`.
  ///   - text: returns the content of a file; `nil` where it cannot be read.
  static func quota(groups: String, text: (String) -> String?) -> Int? {
    var least: Double?
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let controllers = fields[1].split(separator: ",")
      guard fields[0] == "0" || controllers.contains("cpu") else { continue }
      // A container may not see the folders of its outer groups.
      var names = fields[2].split(separator: "/")
      while true {
        let folder = (["/sys/fs/cgroup"] + (fields[0] == "0" ? [] : [fields[1]]) + names)
          .joined(separator: "/")
        if let share = share(of: folder, text) { least = min(least ?? share, share) }
        if names.popLast() == nil { break }
      }
    }
    return least.map { Int($0.rounded(.up)) }
  }

  /// Returns the number of processors for which a group has time; `nil` without a limit.
  private static func share(of folder: String, _ text: (String) -> String?) -> Double? {
    let numbers: [Double?]
    if let limit = text("\(folder)/cpu.max") {
      numbers = limit.split(whereSeparator: \.isWhitespace).map { Double($0) }
    } else {
      numbers = ["quota", "period"].map { name in
        text("\(folder)/cpu.cfs_\(name)_us").flatMap { Double($0.filter { !$0.isWhitespace }) }
      }
    }
    guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0,
      period > 0, quota / period < 1e6
    else { return nil }
    return quota / period
  }

  /// Returns the content of a small file of the system.
  private static func text(_ path: String) -> String? {
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 1 << 16 else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
