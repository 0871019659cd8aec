@_exported public import CoreGraphics
public import UIKit

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

/// A view that stands for all of the module's own.
public struct OwnView: View {
  public var body: Never { return fatalError() }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> OwnView {
    OwnView()
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

extension View {
  public func simultaneousGesture(_ gesture: some Gesture) -> OwnView { OwnView() }
  public func onSubmit(_ action: @escaping () -> Void) -> OwnView { OwnView() }
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> OwnView { OwnView() }
  public func font(_ font: Font?) -> OwnView { OwnView() }
  public func task(_ action: @escaping @Sendable @MainActor () async -> Void) -> OwnView {
    OwnView()
  }
}

@MainActor public protocol Gesture {}

public struct SpatialTapGesture: Gesture {
  public struct Value: Equatable, Sendable {
    public var location: CGPoint
  }
  public init() {}
  public func onEnded(_ action: @escaping (Value) -> Void) -> some Gesture { self }
}

public struct AccessibilityTraits: Sendable {
  public static let updatesFrequently = AccessibilityTraits()
}

public struct Font: Sendable {
  public static let caption2 = Font()
}

extension OwnView {
  fileprivate init<Content: View>(_ content: () -> Content) {}
}

@MainActor public func VStack<Content: View>(@ViewBuilder content: () -> Content) -> OwnView {
  OwnView(content)
}

@MainActor public func HStack<Content: View>(@ViewBuilder content: () -> Content) -> OwnView {
  OwnView(content)
}

@MainActor public func List<Content: View>(@ViewBuilder content: () -> Content) -> OwnView {
  OwnView(content)
}

@MainActor public func ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>(
  _ data: Data, id: KeyPath<Data.Element, ID>,
  @ViewBuilder content: @escaping (Data.Element) -> Content
) -> OwnView { OwnView() }

@MainActor public func Text<S: StringProtocol>(_ content: S) -> OwnView { OwnView() }

@MainActor public func TextField<S: StringProtocol>(_ title: S, text: Binding<String>) -> OwnView {
  OwnView()
}

@MainActor public func Button<S: StringProtocol>(
  _ title: S, action: @escaping @MainActor () -> Void
) -> OwnView { OwnView() }

@propertyWrapper public struct Binding<Value> {
  public init() {}
  public var wrappedValue: Value { fatalError() }
}

@MainActor @propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
  public var projectedValue: Binding<Value> { fatalError() }
}

public protocol ObservableObject: AnyObject {}

@propertyWrapper public struct Published<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}

extension Published where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

@MainActor @propertyWrapper public struct ObservedObject<Object: ObservableObject> {
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Object
}

@MainActor @propertyWrapper public struct StateObject<Object: ObservableObject> {
  private let object: () -> Object
  public init(wrappedValue: @autoclosure @escaping () -> Object) { object = wrappedValue }
  public var wrappedValue: Object { object() }
}

@MainActor public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

@MainActor public protocol App {
  associatedtype Body: Scene
  var body: Body { get }
  init()
}

extension App {
  public static func main() {}
}

public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
  public var coordinator: Representable.Coordinator { fatalError() }
}

@MainActor public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  associatedtype Coordinator
  typealias Context = UIViewRepresentableContext<Self>
  func makeCoordinator() -> Coordinator
  func makeUIView(context: Context) -> UIViewType
  func updateUIView(_ view: UIViewType, context: Context)
}

extension UIViewRepresentable {
  public var body: Never { return fatalError() }
}
