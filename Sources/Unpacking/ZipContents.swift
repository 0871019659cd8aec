package import Features
import Files
package import SystemPackage

/// The names of the files within a zip file, for a choice among them.
package enum ZipContents {
  /// Returns the files that contain data: not texts such as `README.txt`, nor any `.txt` if there
  /// are files with other extensions.
  package static func data<Member>(
    among members: [Member], named name: (Member) -> String
  ) -> [Member] {
    let data = members.filter { !isAbout(name($0)) }
    let others = data.filter { !name($0).lowercased().hasSuffix(".txt") }
    return others.isEmpty ? data.isEmpty ? members : data : others
  }

  /// Names of files about the data, without their extensions.
  private static let aboutNames: Set = [
    "readme", "read_me", "license", "licence", "copying", "changelog", "attribution", "metadata",
    "manifest", "terms", "lizenz", "lesmich", "liesmich", "lisezmoi", "leeme",
  ]

  private static func isAbout(_ name: String) -> Bool {
    let file = name.split(separator: "/").last ?? ""
    return aboutNames.contains(file.prefix { $0 != "." }.lowercased())
  }

  /// Returns the files of a public transport feed (GTFS) that contain places: shapes and stops;
  /// `nil` for other zip files.
  package static func transitPlaces(among names: [String]) -> [String]? {
    func member(_ file: String) -> String? {
      names.first { $0 == file || $0.hasSuffix("/\(file)") }
    }
    guard let stops = member("stops.txt"), member("routes.txt") != nil, member("trips.txt") != nil
    else { return nil }
    return [member("shapes.txt"), stops].compactMap(\.self)
  }

  /// Returns the files beside one of a feed.
  ///
  /// - Parameters:
  ///   - file: the path of a file.
  ///   - name: the name that it must have; `nil` is returned for another file.
  package static func besides(_ file: String, named name: String, _ others: String...) -> [String]?
  {
    guard file.split(separator: "/").last == name[...] else { return nil }
    return others.map { file.dropLast(name.count) + $0 }
  }

  /// Returns the names of the sheets that a spreadsheet shows; `nil` for another file.
  ///
  /// - Throws: ``SourceError`` for one that is damaged.
  package static func sheets(
    of path: FilePath, name: String, _ surroundings: PackedInput.Surroundings
  ) throws(SourceError) -> [String]? {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      let directory = try ZipDirectory(
        file, byteCount: try FileStatus(of: file).size, limits: surroundings.limits)
      let unpacker = Unpacker(
        folder: surroundings.folder, limits: surroundings.limits,
        checkpoint: surroundings.checkpoint)
      return try Spreadsheet(directory, file, unpacker)?.names()
    } catch let fault as UnpackFault {
      throw fault.error(in: name)
    } catch {
      throw UnpackFault.reading(error).error(in: name)
    }
  }

  /// Whether the name of a member leads out of the folder in which it would be unpacked.
  package static func leadsOut(_ name: String) -> Bool {
    name.hasPrefix("/") || name.contains("\\") || name.contains(":")
      || name.split(separator: "/").contains("..")
  }

  /// Returns the names in the order of the list of members, without folders and without files that
  /// operating systems add.
  ///
  /// - Parameter name: the file in messages.
  /// - Throws: ``SourceError`` for a file that cannot be read or is damaged.
  package static func names(
    of path: FilePath, name: String, limits: UnpackLimits = UnpackLimits()
  ) throws(SourceError) -> [String] {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      return try ZipDirectory(file, byteCount: try FileStatus(of: file).size, limits: limits)
        .members.filter(\.isContent).map(\.name)
    } catch let fault as UnpackFault {
      throw fault.error(in: name)
    } catch {
      throw UnpackFault.reading(error as? Errno ?? .ioError).error(in: name)
    }
  }
}
