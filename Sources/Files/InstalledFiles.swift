import Platform

#if canImport(Darwin)
  import Foundation
#endif

/// The files that are installed together with the program.
package enum InstalledFiles {
  /// The folder `share/quadrille` that belongs to the program, whether or not it exists; `nil` if the
  /// system does not report the program's file.
  package static let folder: String? = program.map(folder(ofProgram:))

  /// The path of the program's file, without symbolic links; `nil` if the system does not report it.
  package static var program: String? {
    #if canImport(Darwin)
      Bundle.main.executableURL?.resolvingSymlinksInPath().path
    #else
      // `Bundle` terminates the process if the link cannot be read.
      realpath("/proc/self/exe", nil).map { path in
        defer { free(path) }
        return String(cString: path)
      }
    #endif
  }

  /// Returns the folder for a program `PREFIX/bin/NAME`: `PREFIX/share/quadrille`.
  static func folder(ofProgram path: String) -> String {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    return (names.dropLast(2) + ["share", "quadrille"]).joined(separator: "/")
  }
}
