package import Features
import Files
package import SystemPackage

/// The names of the files within a zip file, for a choice among them.
package enum ZipContents {
  /// Returns the files that are the data: without texts such as `README.txt` beside files of other
  /// endings.
  package static func data<Member>(
    among members: [Member], named name: (Member) -> String
  ) -> [Member] {
    let others = members.filter { !name($0).lowercased().hasSuffix(".txt") }
    return others.isEmpty ? members : others
  }

  /// Returns the names in the order of the list of members, without folders and without what systems
  /// add of their own.
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
