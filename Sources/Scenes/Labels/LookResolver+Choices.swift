import Styling

extension LookResolver {
  /// Returns a label at each of the places and in each of the directions that it may take, highest
  /// priority first.
  func choices(of look: TextLook, _ feature: any LookFeature) -> [TextLook] {
    let variants = variants(feature, of: look)
    return variants.isEmpty ? [look] : variants.map { $0.applied(to: look) }
  }

  /// Returns an icon beside a label that may take several places: one that is fitted to the label
  /// moves with it.
  func icon(
    _ icon: IconLook, beside text: TextLook?, _ feature: any LookFeature
  ) throws -> IconLook {
    guard hasVariants, let text else { return icon }
    return try self.icon(feature, around: text) ?? icon
  }
}
