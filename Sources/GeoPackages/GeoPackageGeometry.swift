package import Ingest
import Tiling

/// The header of a geometry in a GeoPackage, which precedes its well-known binary.
///
/// Source: OGC 12-128r19, clause 2.1.3.1.1: `GP`, a version, flags, the reference system's number,
/// and an envelope.
package struct GeoPackageGeometry {
  /// The box in the header, in the units of the table; `nil` without one.
  let envelope: NativeBox?
  /// The well-known binary.
  package let body: UnsafeRawBufferPointer

  /// Sizes in bytes of the envelope types 0 to 4: none, XY, XYZ, XYM, XYZM.
  private static let envelopeBytes = [0, 32, 48, 48, 64]

  /// Reads the header of a blob.
  package init(_ blob: UnsafeRawBufferPointer) throws(GeometryRefusal) {
    guard blob.count >= 8, blob[0] == 0x47, blob[1] == 0x50 else {
      throw GeometryRefusal("the geometry does not begin with 'GP', as those of GeoPackage do")
    }
    guard blob[2] == 0 else {
      throw GeometryRefusal("the geometry is of version \(Int(blob[2]) + 1), and only 1 is known")
    }
    let flags = blob[3]
    guard flags & 0x20 == 0 else {
      throw GeometryRefusal("the geometry is of an extension (ExtendedGeoPackageBinary)")
    }
    let kind = Int(flags >> 1 & 7)
    guard kind < Self.envelopeBytes.count else {
      throw GeometryRefusal("the geometry has an envelope of kind \(kind), and 4 is the last")
    }
    let start = 8 + Self.envelopeBytes[kind]
    guard blob.count >= start else { throw GeometryRefusal("the geometry is cut off") }
    let isLittle = flags & 1 == 1
    func number(_ index: Int) -> Double {
      let bits = blob.loadUnaligned(fromByteOffset: 8 + 8 * index, as: UInt64.self)
      return Double(bitPattern: isLittle ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
    }
    envelope =
      kind == 0
      ? nil : NativeBox(minX: number(0), minY: number(2), maxX: number(1), maxY: number(3))
    body = UnsafeRawBufferPointer(rebasing: blob[start...])
  }
}

/// A box in the units of a table, degrees or metres.
typealias NativeBox = Box<Double>
