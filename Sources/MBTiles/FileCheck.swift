package import Files
import SystemPackage

/// The check of the file before SQLite opens it: its name, its header, its companions.
package struct FileCheck {
  let file: HeldFile

  package init(file: HeldFile) { self.file = file }

  private var path: FilePath { file.path }

  /// Adds findings; returns false if it is pointless to open the file.
  func run(_ log: inout FindingLog) -> Bool {
    let name = path.lastComponent?.string ?? ""
    if !name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      log.error(.file, "the file name '\(name)' is not plain ASCII; some readers cannot open it.")
    }
    for file in LeftoverJournal.files(besides: path) {
      log.error(
        .companion,
        "\(file) lies beside the archive and SQLite takes it for a part of it. Close the archive in"
          + " other programs; a build settles what a dead one left.")
    }
    do throws(Errno) {
      guard let header = try readHeader() else {
        log.error(.file, "\(path) is no SQLite file.")
        return false
      }
      check(header, size: try file.status.size, &log)
      return true
    } catch {
      log.error(.reading, "\(path) cannot be read: \(error).")
      return false
    }
  }

  /// Whether a journal or log beside the file holds part of its content.
  var hasLiveCompanion: Bool {
    LeftoverJournal.files(besides: path, LeftoverJournal.contentSuffixes).contains {
      (FileStatus($0)?.size ?? 0) > 0
    }
  }

  /// Returns the file's header; `nil` if it is not SQLite's.
  ///
  /// - Throws: the system's error if the file cannot be read.
  func readHeader() throws(Errno) -> SQLiteHeader? {
    return try Errno.thrown {
      try withUnsafeTemporaryAllocation(byteCount: SQLiteHeader.byteCount, alignment: 8) {
        buffer in
        let count = try file.descriptor.read(fromAbsoluteOffset: 0, into: buffer)
        return SQLiteHeader(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// Returns the header for a reader, to which a folder is not a SQLite file either.
  ///
  /// - Throws: ``ArchiveError/Code/permission`` or ``ArchiveError/Code/inputOutput``.
  package func readerHeader() throws(ArchiveError) -> SQLiteHeader? {
    do throws(Errno) {
      return try readHeader()
    } catch .isDirectory {
      return nil
    } catch {
      throw ArchiveError(.file(.unreadable(error)), path: path)
    }
  }

  private func check(_ header: SQLiteHeader, size: Int, _ log: inout FindingLog) {
    if header.usesLog {
      log.error(
        .header,
        "the header's bytes 18 and 19 are \(header.writeVersion) and \(header.readVersion), not 1:"
          + " a write-ahead log cannot be opened on a read-only medium.")
    }
    if PageSize(rawValue: header.pageSize) == nil {
      log.warning(.header, "pages have \(header.pageSize) bytes, not 4096 or 16384.")
    }
    if header.pageSize * header.writtenPages != size {
      log.error(
        .header,
        "the file has \(size) bytes, but its header says \(header.writtenPages) pages of"
          + " \(header.pageSize).")
    }
    if header.textEncoding != 1 { log.error(.header, "the text encoding is not UTF-8.") }
    if header.applicationID != SQLiteHeader.mbtilesID {
      log.warning(
        .header,
        "the application id is 0x\(String(header.applicationID, radix: 16)), not 0x4d504258.")
    }
  }
}

extension SQLiteHeader {
  /// "MBPX", the application id registered for MBTiles.
  package static let mbtilesID: UInt32 = 0x4D50_4258
}
