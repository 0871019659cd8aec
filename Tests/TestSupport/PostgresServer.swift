import Children
import Foundation
import SystemPackage

/// A PostgreSQL server of its own with PostGIS, in a temporary folder, which only a socket in that
/// folder leads to. It ends with this object.
package final class PostgresServer: Sendable {
  /// The folder of the socket, its host.
  package let socket: String

  package static let port = "5499"
  package static let user = "postgres"
  package static let database = "gis"

  private static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "\(root)/\($0)/bin" }
      .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  /// Whether the machine has the server and PostGIS, and this user may start it: as root, which
  /// becomes the user `postgres`.
  package static var isInstalled: Bool {
    guard let programs, getuid() == 0, getpwnam(user) != nil else { return false }
    let extensions = programs.replacing("/lib/", with: "/share/").replacing(
      "/bin", with: "/extension/postgis.control")
    return FileManager.default.fileExists(atPath: extensions)
  }

  /// Starts a server with an empty database.
  package init() throws {
    socket = "/tmp/quadrille-pg-\(UUID().uuidString.prefix(8))"
    try Self.run("/usr/bin/install", ["-d", "-o", Self.user, "-m", "755", socket])
    try command("initdb", ["-D", "\(socket)/data", "-A", "trust", "-U", Self.user, "-N"])
    try command(
      "pg_ctl",
      [
        "-D", "\(socket)/data", "-l", "\(socket)/log", "-w", "-o",
        "-c listen_addresses='' -k \(socket) -p \(Self.port) -c fsync=off", "start",
      ])
    try query("CREATE DATABASE \(Self.database)", in: "postgres")
    try query("CREATE EXTENSION postgis")
  }

  /// Runs statements.
  package func query(_ sql: String, in database: String = PostgresServer.database) throws {
    try command(
      "psql",
      [
        "-q", "-v", "ON_ERROR_STOP=1", "-h", socket, "-p", Self.port, "-U", Self.user, "-d",
        database,
        "-c", sql,
      ])
  }

  /// Stops the server.
  package func stop() throws {
    try command("pg_ctl", ["-D", "\(socket)/data", "-m", "immediate", "-w", "stop"])
  }

  deinit {
    try? stop()
    try? FileManager.default.removeItem(atPath: socket)
  }

  private func command(_ name: String, _ arguments: [String]) throws {
    try Self.run(
      "/usr/sbin/runuser", ["-u", Self.user, "--", "\(Self.programs ?? "")/\(name)"] + arguments)
  }

  private struct Failed: Error { let command: [String] }

  /// Runs a program without leaving it any open file: the server would keep it for good.
  private static func run(_ program: String, _ arguments: [String]) throws {
    var command = ChildCommand(FilePath(program), arguments, in: "/")
    command.environment = ["PATH": InstalledProgram.searchPath, "LANG": "C.UTF-8"]
    let outcome = try command.run {}
    guard outcome.end == .status(0) else { throw Failed(command: [program] + arguments) }
  }
}
