import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The machine that was measured on, in words that identify nobody.
enum Machine {
  /// `AMD EPYC, 2 cores, 25 GB, Linux`.
  static var description: String {
    let info = ProcessInfo.processInfo
    let memory = Wording.bytes(Double(info.physicalMemory))
    #if os(Linux)
      let system = "Linux"
    #else
      let system = "macOS"
    #endif
    return "\(processor), \(info.activeProcessorCount) cores, \(memory), \(system)"
  }

  /// How many processes wanted to run at once in the last minute, on average; `nil` if unknown.
  static var load: Double? {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : nil
  }

  private static var processor: String {
    #if os(Linux)
      let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
      let name = line?.split(separator: ":", maxSplits: 1).last
      return name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    #else
      var name = [UInt8](repeating: 0, count: 256)
      var size = name.count
      guard sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else {
        return "unknown processor"
      }
      return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    #endif
  }
}
