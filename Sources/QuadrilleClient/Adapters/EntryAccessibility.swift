#if canImport(UIKit) && !os(watchOS)
  public import CoreGraphics
  public import UIKit

  extension MapEntry {
    /// Returns what VoiceOver finds of the entry over a view that shows tiles: add it to the view's
    /// `accessibilityElements`.
    ///
    /// - Parameter point: the entry's place in the view's coordinates.
    @MainActor public func accessibilityElement(in view: UIView, at point: CGPoint)
      -> UIAccessibilityElement
    {
      let element = UIAccessibilityElement(accessibilityContainer: view)
      element.accessibilityIdentifier = key
      element.accessibilityLabel = title
      element.accessibilityTraits = .button
      // Half of the side that Apple asks of what is touched.
      element.accessibilityFrameInContainerSpace =
        CGRect(origin: point, size: .zero).insetBy(dx: -22, dy: -22)
      return element
    }
  }
#endif
