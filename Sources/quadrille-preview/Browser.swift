import Foundation

/// The system's browser.
enum Browser {
  /// Opens an address, if the system provides a way to; the result is not awaited.
  static func open(_ url: String) {
    #if canImport(Darwin)
      let programs = ["/usr/bin/open"]
    #else
      // Without a display xdg-open would start a text browser in the terminal.
      let environment = ProcessInfo.processInfo.environment
      guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
      let programs = ["/usr/bin/xdg-open", "/usr/bin/sensible-browser"]
    #endif
    guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}
