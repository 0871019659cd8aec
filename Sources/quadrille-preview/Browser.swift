import Foundation

/// The system's browser.
enum Browser {
  /// Opens an address, where the system has a way to; what becomes of that is not waited for.
  static func open(_ url: String) {
    #if canImport(Darwin)
      let programs = ["/usr/bin/open"]
    #else
      // Without a display xdg-open would start a browser of the terminal.
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
