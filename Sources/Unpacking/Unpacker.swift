import Features
import Files
import SystemPackage

/// The unpacking of one file into a temporary one.
struct Unpacker {
  let folder: FilePath
  let limits: UnpackLimits
  /// Called for every mebibyte; an error that it throws ends the work.
  let checkpoint: () throws -> Void

  /// Unpacks a whole file of any format but zip.
  func unpack(
    _ file: FileDescriptor, byteCount: Int, as format: PackedFormat, into target: FileDescriptor
  ) throws {
    let bytes = PackedBytes(file, 0..<byteCount)
    try writing(to: target, packedBytes: byteCount) { output throws(UnpackFault) in
      if format == .gzip {
        try unpackMembers(bytes, to: output)
      } else {
        try unpackFrames(bytes, try LibraryDecoder(format), to: output)
      }
    }
  }

  /// Unpacks a member of a zip file.
  func unpack(
    _ member: ZipMember, of directory: ZipDirectory, _ file: FileDescriptor,
    into target: FileDescriptor
  ) throws {
    let method = try member.readableMethod()
    let bytes = PackedBytes(file, try directory.packedRange(of: member))
    try writing(to: target, packedBytes: member.packedBytes) { output throws(UnpackFault) in
      try output.require(member.unpackedBytes)
      try output.requireSpace(for: member.unpackedBytes)
      output.beginMember()
      switch method {
      case .stored: try copy(bytes, to: output)
      case .deflated:
        try decode(bytes, try Deflate.decoder(.zip), to: output, limit: member.unpackedBytes)
      }
      let (checksum, count) = output.endMember()
      guard count == member.unpackedBytes else { throw .wrongLength }
      guard checksum == member.checksum else { throw .wrongChecksum }
    }
  }

  /// - Throws: ``UnpackFault``, and what ``checkpoint`` throws.
  func writing(
    to target: FileDescriptor, packedBytes: Int,
    _ body: (ScratchOutput) throws(UnpackFault) -> Void
  ) throws {
    let output = ScratchOutput(
      target, in: folder, packedBytes: packedBytes, limits: limits, checkpoint: checkpoint)
    do throws(UnpackFault) {
      try body(output)
      try output.flush()
    } catch {
      throw output.interruption ?? error
    }
  }

  // MARK: Formats

  private func unpackMembers(
    _ bytes: PackedBytes, to output: ScratchOutput
  ) throws(UnpackFault) {
    let decoder = try Deflate.decoder(.gzip)
    var isFirst = true
    while try GzipHeader.skip(bytes, isFirst: isFirst) {
      isFirst = false
      output.beginMember()
      try decode(bytes, decoder, to: output)
      let checksum = try bytes.number(bytes: 4)
      let length = try bytes.number(bytes: 4)
      let member = output.endMember()
      guard checksum == member.checksum else { throw .wrongChecksum }
      guard length == UInt32(truncatingIfNeeded: member.bytes) else { throw .wrongLength }
    }
  }

  private func unpackFrames(
    _ bytes: PackedBytes, _ decoder: LibraryDecoder, to output: ScratchOutput
  ) throws(UnpackFault) {
    repeat {
      try decode(bytes, decoder, to: output)
      try bytes.fill()
    } while !bytes.available.isEmpty
  }

  private func copy(_ bytes: PackedBytes, to output: ScratchOutput) throws(UnpackFault) {
    while true {
      try bytes.fill()
      let available = bytes.available
      guard !available.isEmpty else { return }
      let count = min(available.count, output.room.count)
      output.room.copyMemory(from: UnsafeRawBufferPointer(rebasing: available[..<count]))
      bytes.consume(count)
      try output.add(count)
    }
  }

  /// Decodes up to the end of a stream.
  ///
  /// - Parameter limit: the number of bytes after which the stream must end.
  private func decode(
    _ bytes: PackedBytes, _ decoder: any StreamDecoder, to output: ScratchOutput,
    limit: Int = .max
  ) throws(UnpackFault) {
    while true {
      try bytes.fill()
      let isLast = bytes.available.isEmpty
      let step = try decoder.decode(bytes.available, into: output.room)
      bytes.consume(step.consumed)
      try output.add(step.produced)
      guard output.count <= limit else { throw .wrongLength }
      if step.isAtEnd { return }
      guard step.consumed > 0 || step.produced > 0 || !isLast else { throw .truncated }
    }
  }
}
