@_exported public import CoreGraphics
public import Foundation

@MainActor open class UIView {
  public init() {}
  public var bounds: CGRect { .zero }
}

@MainActor public final class UIScreen {
  public static let main = UIScreen()
  public var scale: CGFloat { 1 }
}

public struct UIAccessibilityTraits: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static let button = UIAccessibilityTraits(rawValue: 1)
}

@MainActor open class UIAccessibilityElement {
  public init(accessibilityContainer container: Any) {}
  public var accessibilityIdentifier: String?
  public var accessibilityLabel: String?
  public var accessibilityTraits: UIAccessibilityTraits = []
  public var accessibilityFrameInContainerSpace = CGRect.zero
}
