import Files

/// A reader of the pixels of an image for a resampler, whatever their form.
///
/// Linear kernels sum `light`; choosing kernels compare `sample`.
protocol TexelReader {
  /// Returns the pixel as four channels that may be weighted and summed.
  func light(_ index: Int) -> SIMD4<Float>

  /// Returns the premultiplied colour of a sum of `light` whose weights add up to the pixel's
  /// coverage.
  ///
  /// - Parameter hasLobes: whether some weights may have been negative.
  func color(ofSum sum: SIMD4<Float>, hasLobes: Bool) -> UInt32

  /// Returns the pixel as a comparable sample: a colour, an index or a value.
  func sample(_ index: Int) -> UInt32

  /// Whether a sample is blank.
  func isBlank(_ sample: UInt32) -> Bool

  /// Returns the premultiplied colour of a sample.
  func color(of sample: UInt32) -> UInt32

  /// Returns the greater of two non-blank samples: the brighter colour, otherwise the greater
  /// number.
  func greater(_ first: UInt32, _ second: UInt32) -> UInt32

  /// Returns the smaller of two non-blank samples.
  func lesser(_ first: UInt32, _ second: UInt32) -> UInt32

  /// Notes that a run of pixels was read, for those that lie in a file.
  func didRead(_ count: Int)
}

extension TexelReader {
  @inline(__always) func didRead(_ count: Int) {}
}

/// A task that runs with the reader that fits an image, specialized for it.
protocol TexelTask {
  associatedtype Result
  func run(_ reader: some TexelReader) -> Result
}

extension OverlayImage {
  /// Runs a task with the reader of this image; the reader's pointers are valid during the call.
  func withReader<Task: TexelTask>(_ task: Task) -> Task.Result { texels.withReader(task) }
}

extension OverlayImage.Texels {
  func withReader<Task: TexelTask>(_ task: Task) -> Task.Result {
    switch self {
    case .rgba(let pixels):
      pixels.withUnsafeBufferPointer { task.run(ColorTexels(pixels: $0)) }
    case .rgb(let bytes):
      bytes.withUnsafeBytes { task.run(OpaqueTexels(bytes: $0)) }
    case .indexed(let bytes, let palette):
      bytes.withUnsafeBufferPointer { indexes in
        palette.withUnsafeBufferPointer { colors in
          withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 256) { lights in
            for index in 0..<256 { lights[index] = Channels.unpacked(colors[index]) }
            return task.run(
              IndexedTexels(indexes: indexes, colors: colors, lights: UnsafeBufferPointer(lights)))
          }
        }
      }
    case .values8(let values, let meaning):
      values.withUnsafeBufferPointer { task.run(ValueTexels(values: $0, meaning: meaning)) }
    case .values16(let values, let meaning):
      values.withUnsafeBufferPointer { task.run(ValueTexels(values: $0, meaning: meaning)) }
    case .mappedColors(let pixels):
      withExtendedLifetime(pixels) {
        task.run(ColorTexels(pixels: pixels.bytes.bindMemory(to: UInt32.self), file: pixels))
      }
    case .mappedValues(let values, let meaning):
      withExtendedLifetime(values) {
        task.run(
          NumberTexels(
            values: values.bytes.bindMemory(to: Float.self), ramp: meaning.ramp, file: values))
      }
    }
  }
}

/// Pixels as premultiplied colours.
struct ColorTexels: TexelReader {
  let pixels: UnsafeBufferPointer<UInt32>

  /// The file in which they lie; `nil` for memory.
  var file: MappedScratch?

  @inline(__always) func light(_ index: Int) -> SIMD4<Float> { Channels.unpacked(pixels[index]) }
  @inline(__always) func color(ofSum sum: SIMD4<Float>, hasLobes: Bool) -> UInt32 {
    hasLobes ? Channels.packedBounded(sum) : Channels.packed(sum)
  }
  @inline(__always) func sample(_ index: Int) -> UInt32 { pixels[index] }
  @inline(__always) func isBlank(_ sample: UInt32) -> Bool { sample >> 24 == 0 }
  @inline(__always) func color(of sample: UInt32) -> UInt32 { sample }
  func greater(_ first: UInt32, _ second: UInt32) -> UInt32 { Channels.brighter(first, second) }
  func lesser(_ first: UInt32, _ second: UInt32) -> UInt32 { Channels.darker(first, second) }
  func didRead(_ count: Int) { file?.didRead(count * 4) }
}

/// Pixels as opaque colours of 3 bytes.
struct OpaqueTexels: TexelReader {
  let bytes: UnsafeRawBufferPointer

  @inline(__always) func light(_ index: Int) -> SIMD4<Float> { Channels.unpacked(sample(index)) }
  @inline(__always) func color(ofSum sum: SIMD4<Float>, hasLobes: Bool) -> UInt32 {
    hasLobes ? Channels.packedBounded(sum) : Channels.packed(sum)
  }
  @inline(__always) func sample(_ index: Int) -> UInt32 {
    let four = bytes.loadUnaligned(fromByteOffset: 3 &* index, as: UInt32.self)
    return UInt32(littleEndian: four) | 0xFF00_0000
  }
  @inline(__always) func isBlank(_ sample: UInt32) -> Bool { false }
  @inline(__always) func color(of sample: UInt32) -> UInt32 { sample }
  func greater(_ first: UInt32, _ second: UInt32) -> UInt32 { Channels.brighter(first, second) }
  func lesser(_ first: UInt32, _ second: UInt32) -> UInt32 { Channels.darker(first, second) }
}

/// Pixels as indexes into a palette; the greater index is the greater pixel.
struct IndexedTexels: TexelReader {
  let indexes: UnsafeBufferPointer<UInt8>
  let colors: UnsafeBufferPointer<UInt32>
  let lights: UnsafeBufferPointer<SIMD4<Float>>

  @inline(__always) func light(_ index: Int) -> SIMD4<Float> { lights[Int(indexes[index])] }
  @inline(__always) func color(ofSum sum: SIMD4<Float>, hasLobes: Bool) -> UInt32 {
    hasLobes ? Channels.packedBounded(sum) : Channels.packed(sum)
  }
  @inline(__always) func sample(_ index: Int) -> UInt32 { UInt32(indexes[index]) }
  @inline(__always) func isBlank(_ sample: UInt32) -> Bool { colors[Int(sample)] >> 24 == 0 }
  @inline(__always) func color(of sample: UInt32) -> UInt32 { colors[Int(sample)] }
  func greater(_ first: UInt32, _ second: UInt32) -> UInt32 { max(first, second) }
  func lesser(_ first: UInt32, _ second: UInt32) -> UInt32 { min(first, second) }
}

/// Pixels as values of one band: channel 0 sums the known values, channel 1 their weights.
struct ValueTexels<Value: FixedWidthInteger & UnsignedInteger>: TexelReader {
  let values: UnsafeBufferPointer<Value>
  let meaning: OverlayImage.ValueMeaning

  @inline(__always) func light(_ index: Int) -> SIMD4<Float> {
    let value = sample(index)
    return isBlank(value) ? .zero : SIMD4(Float(value), 1, 0, 0)
  }
  @inline(__always) func color(ofSum sum: SIMD4<Float>, hasLobes: Bool) -> UInt32 {
    guard sum.y > 1 / 1024 else { return 0 }
    return Channels.packedBounded(meaning.ramp.color(of: sum.x / sum.y) * min(sum.y, 1))
  }
  @inline(__always) func sample(_ index: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: values[index])
  }
  @inline(__always) func isBlank(_ sample: UInt32) -> Bool {
    !meaning.nodata.isEmpty && meaning.nodata.contains(Int(sample))
  }
  func color(of sample: UInt32) -> UInt32 {
    isBlank(sample) ? 0 : Channels.packedBounded(meaning.ramp.color(of: Float(sample)))
  }
  func greater(_ first: UInt32, _ second: UInt32) -> UInt32 { max(first, second) }
  func lesser(_ first: UInt32, _ second: UInt32) -> UInt32 { min(first, second) }
}
