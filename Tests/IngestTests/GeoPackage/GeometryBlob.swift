/// Bytes of geometries that tests put together by hand, as SQL literals.
struct GeometryBlob {
  var bytes: [UInt8] = []
  var isLittle = true

  /// The header of a GeoPackage geometry.
  static func header(
    envelope: [Double] = [], kind: UInt8? = nil, isLittle: Bool = true, flags: UInt8 = 0,
    version: UInt8 = 0, magic: String = "GP"
  ) -> GeometryBlob {
    let kinds: [Int: UInt8] = [0: 0, 4: 1, 6: 2, 8: 4]
    var blob = GeometryBlob(isLittle: isLittle)
    blob.bytes += magic.utf8
    blob.bytes.append(version)
    blob.bytes.append((kind ?? kinds[envelope.count] ?? 0) << 1 | (isLittle ? 1 : 0) | flags)
    blob.append(UInt32(4326))
    for number in envelope { blob.append(number) }
    return blob
  }

  mutating func append(_ word: UInt32) {
    withUnsafeBytes(of: isLittle ? word.littleEndian : word.bigEndian) { bytes += $0 }
  }

  mutating func append(_ number: Double) {
    let bits = number.bitPattern
    withUnsafeBytes(of: isLittle ? bits.littleEndian : bits.bigEndian) { bytes += $0 }
  }

  /// Byte order, type, and a count where it has one.
  mutating func begin(_ type: UInt32, count: UInt32? = nil, isLittle: Bool = true) {
    self.isLittle = isLittle
    bytes.append(isLittle ? 1 : 0)
    append(type)
    if let count { append(count) }
  }

  func begun(_ type: UInt32, count: UInt32? = nil, isLittle: Bool = true) -> GeometryBlob {
    var blob = self
    blob.begin(type, count: count, isLittle: isLittle)
    return blob
  }

  func with(_ words: UInt32...) -> GeometryBlob {
    var blob = self
    for word in words { blob.append(word) }
    return blob
  }

  func with(numbers: Double...) -> GeometryBlob {
    var blob = self
    for number in numbers { blob.append(number) }
    return blob
  }

  /// `X'…'`
  var sql: String {
    let digits = Array("0123456789ABCDEF")
    return "X'" + bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() + "'"
  }

  /// A point without envelope.
  static func point(_ x: Double, _ y: Double) -> GeometryBlob {
    header().begun(1).with(numbers: x, y)
  }
}
