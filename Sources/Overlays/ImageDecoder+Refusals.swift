/// Options that are not meaningful for an image; they are refused before any pixel is read.
extension ImageDecoder {
  /// - Parameter kind: the kind of image, such as `a colour PNG`.
  /// - Throws: ``OverlayError`` if a ramp was requested for an image with more than one band.
  func refuseRamp(_ kind: String) throws {
    if colorRamp != nil {
      throw OverlayError(
        .badOptions,
        """
        the image is \(kind), but a colour ramp needs one band of values and nothing else; remove \
        `colorRamp`, or export the band alone.
        """)
    }
  }

  /// - Parameter kind: the kind of image, such as `a colour PNG`.
  /// - Throws: ``OverlayError`` if `nodata` names samples of an image with more than one band.
  func refuseSamples(_ kind: String) throws {
    for case .number(let number) in nodata {
      throw OverlayError(
        .badNoData,
        "`nodata` \(number) can be no pixel of \(kind); write a colour such as \"#ffffff\".")
    }
    guard noDataCheck != .none, let value = nodataValues(transparent: nil).first else { return }
    throw OverlayError(
      .badNoData,
      """
      `nodata` \(value) is a gray sample or a palette index, but the image is \(kind); write a \
      colour such as "#ffffff".
      """)
  }

  /// - Parameters:
  ///   - greatest: the greatest sample or index that the image may hold.
  ///   - widest: the greatest sample or index that another frame of a series may hold.
  ///   - what: their description, such as `samples of this 8-bit PNG`.
  /// - Throws: ``OverlayError`` if `nodata` names a greater one, or a colour in addition to a ramp.
  func refuseNoData(above greatest: Int, orElse widest: Int, _ what: String) throws {
    for case .number(let number) in nodata {
      throw OverlayError(
        .badNoData, "`nodata` \(number) can be no pixel: the \(what) are whole numbers.")
    }
    guard noDataCheck != .none else { return }
    let limit = noDataCheck == .exact ? greatest : widest
    if let value = nodataValues(transparent: nil).first(where: { $0 > limit || $0 < 0 }) {
      throw OverlayError(
        .badNoData, "`nodata` \(value) can be no pixel: the \(what) are 0 to \(greatest).")
    }
    guard colorRamp != nil, nodata.contains(where: \.isColor) else { return }
    throw OverlayError(
      .badNoData,
      """
      with a colour ramp `nodata` is a value and no colour: the \(what) are 0 to \(greatest); write \
      one of them.
      """)
  }
}
