import Features
import Files
package import SystemPackage

/// A packed file whose content is wanted, unpacked when it is first needed and once only.
package final class PackedInput: Sendable {
  /// The place of the packed bytes.
  package enum Origin: Sendable {
    case file(FilePath)
    /// An open file, with the object that closes it.
    case open(FileDescriptor, owner: any Sendable)
  }

  /// The surroundings of a run.
  package struct Surroundings: Sendable {
    /// The folder of the temporary files.
    package var folder: FilePath
    package var limits = UnpackLimits()
    /// Called for every mebibyte; an error that it throws ends the unpacking.
    package var checkpoint: @Sendable () throws -> Void = {}

    package init(folder: FilePath) { self.folder = folder }
  }

  /// The content that is wanted.
  package struct Wanted: Sendable {
    /// The member of a zip file; `nil` for the only one that can be read.
    package var member: String?
    /// The endings of the names of files that can be read, in lower case, such as `.csv`.
    package var endings: [String] = []
    /// Whether the sheets of spreadsheets are read, as members.
    package var readsSheets = false
    /// Whether the unpacked file needs a name, for readers that open files themselves.
    package var hasName = false

    package init() {}
  }

  /// The name of the content in messages, `a.zip/points.csv` or `points.csv.gz`.
  package let name: String

  package let format: PackedFormat

  /// The member of a zip file, or the sheet of a spreadsheet; `nil` for other formats, and if none
  /// can be chosen.
  package let member: String?

  /// Whether the content is a sheet of a spreadsheet.
  private let isSheet: Bool

  private let origin: Origin
  private let wanted: Wanted
  private let surroundings: Surroundings
  /// The packed file in messages.
  private let file: String
  private let outcome = Once<UnpackedFile>()

  /// Examines the first bytes of a file; `nil` if it is not packed. It is also `nil` if the file
  /// cannot be read, which its reader then reports.
  ///
  /// - Parameter name: the file in messages.
  package init?(
    _ origin: Origin, name: String, wanted: Wanted, _ surroundings: Surroundings
  ) {
    guard let format = origin.format else { return nil }
    self.format = format
    self.origin = origin
    self.wanted = wanted
    self.surroundings = surroundings
    file = name
    let list = try? origin.reading { packed, byteCount in
      try ZipDirectory(packed, byteCount: byteCount, limits: surroundings.limits)
    }
    isSheet = wanted.readsSheets && Spreadsheet.isSpreadsheet(list?.members.map(\.name) ?? [])
    let chosen =
      isSheet
      ? nil : try? list?.member(named: wanted.member, endings: wanted.endings, in: name).name
    member = format == .zip ? chosen ?? wanted.member : nil
    self.name = member.map { "\(name)/\($0)" } ?? name
  }

  /// Whether a zip file contains no file with the name of a readable format, or its list of files
  /// is damaged.
  package var isWithoutChoice: Bool {
    guard format == .zip, wanted.member == nil, !isSheet else { return false }
    let names = try? origin.reading { packed, byteCount in
      try ZipDirectory(packed, byteCount: byteCount, limits: surroundings.limits).members
        .filter(\.isContent).map { $0.name.lowercased() }
    }
    return names?.allSatisfy { name in !wanted.endings.contains { name.hasSuffix($0) } } ?? true
  }

  /// Returns the content; the first call unpacks it.
  ///
  /// - Throws: ``SourceError`` that names the file, and what the checkpoint throws.
  /// - Complexity: O(bytes) at the first call.
  package func unpacked() throws -> UnpackedFile { try outcome.value(unpack) }

  /// Returns the content, unpacked for this call alone, so that its disk space is freed when the
  /// result is.
  ///
  /// - Throws: as ``unpacked()``.
  package func unpackedAnew() throws -> UnpackedFile { try unpack() }

  private func unpack() throws -> UnpackedFile {
    let target: UnpackedFile
    do {
      target = try UnpackedFile(in: surroundings.folder, hasName: wanted.hasName)
    } catch {
      throw SourceError(
        code: .io, file: file,
        message: "cannot be unpacked into \(surroundings.folder): \(error); choose another folder "
          + "with --tmpdir")
    }
    do {
      try origin.reading { try fill(target, from: $0, byteCount: $1) }
    } catch let fault as UnpackFault {
      throw fault.error(in: name)
    } catch let error as Errno {
      throw UnpackFault.reading(error).error(in: file)
    }
    return target
  }

  private func fill(
    _ target: UnpackedFile, from packed: FileDescriptor, byteCount: Int
  ) throws {
    let unpacker = Unpacker(
      folder: surroundings.folder, limits: surroundings.limits,
      checkpoint: surroundings.checkpoint)
    guard format == .zip else {
      if let member = wanted.member {
        throw UnpackFault("is no zip file and has no '\(member)' in it", .configuration)
          .error(in: file)
      }
      return try unpacker.unpack(packed, byteCount: byteCount, as: format, into: target.file)
    }
    let directory: ZipDirectory
    let member: ZipMember
    do {
      directory = try ZipDirectory(packed, byteCount: byteCount, limits: surroundings.limits)
    } catch {
      throw error.error(in: file)
    }
    if isSheet, let book = Spreadsheet(directory, packed, unpacker) {
      return try book.write(wanted.member, packedBytes: byteCount, into: target.file, file: file)
    }
    do {
      member = try directory.member(named: wanted.member, endings: wanted.endings, in: file)
    } catch {
      throw error.error(in: file)
    }
    try unpacker.unpack(member, of: directory, packed, into: target.file)
  }
}

extension PackedInput.Origin {
  /// Opens the packed file for a body.
  ///
  /// - Throws: what the body throws, and `Errno`: `invalidArgument` for anything but a regular file.
  fileprivate func reading<Value>(
    _ body: (FileDescriptor, _ byteCount: Int) throws -> Value
  ) throws -> Value {
    switch self {
    case .open(let file, _): return try body(file, try FileStatus(of: file).size)
    case .file(let path):
      // Opening a pipe could block, and would take bytes from its reader.
      guard FileStatus(path)?.kind == .file else { throw Errno.invalidArgument }
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      return try body(file, try FileStatus(of: file).size)
    }
  }

  /// The format of the file; `nil` if it is not packed or cannot be read.
  fileprivate var format: PackedFormat? {
    let count = FileSignature.byteCount
    let head =
      switch self {
      case .file(let path): FileHead.bytes(of: path, count)
      case .open(let file, _): FileHead.bytes(of: file, count, at: "standard input")
      }
    return PackedFormat(head)
  }
}
