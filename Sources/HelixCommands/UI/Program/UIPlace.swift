import HelixModel
import HelixTerminal

/// A place of the program: its state, which keys change and a picture is drawn from. It reads the store only in
/// ``load(_:)``.
protocol UIPlace: Sendable {
    /// The name.
    var name: UIPlaceName { get }
    /// The keys of the present part, the most important ones first.
    var bindings: [UIBinding] { get }
    /// The words at the left of the line below.
    var status: String { get }
    /// The items that commands work on.
    var target: UITarget { get }
    /// Whether more is read when nothing else is to be done.
    var wantsMore: Bool { get }
    /// The milliseconds without a key after which it reads more.
    var readPause: Int32 { get }
    /// Gives the place its size.
    mutating func resize(width: Int, height: Int)
    /// Reads the store.
    /// - Throws: ``HelixError``.
    mutating func load(_ data: UIData) throws
    /// Moves.
    mutating func press(_ motion: UIMotion) -> UIAnswer
    /// Takes an event of the mouse at a column and line of its own.
    mutating func take(_ mouse: MouseEvent) -> UIAnswer
    /// Takes a text that the person types to search or to filter; nil ends it without a change.
    mutating func take(text: String?, for purpose: UIPurpose, isFinal: Bool) -> UIAnswer
    /// Opens an item of another place or of the palette.
    mutating func open(_ item: UIItem) -> Bool
    /// A command was run, which began at a time.
    mutating func didRun(_ words: [String], since start: Instant)
    /// A command has failed.
    mutating func didFail(_ words: [String])
    /// Chooses the first of some items that is shown, such as what undo brought back.
    mutating func choose(among ids: [EntityID])
    /// The items as lines of words, for a screen reader; nil if those of the picture say it.
    func plainLines(for viewer: Viewer) -> [String]?
    /// The work that the last read has found.
    mutating func pending() -> UIAnswer
    /// Draws the picture of the state.
    func draw(on frame: inout ScreenFrame, in area: ScreenArea, for viewer: Viewer)
}

extension UIPlace {
    var wantsMore: Bool { false }
    var readPause: Int32 { 60 }
    mutating func take(_ mouse: MouseEvent) -> UIAnswer { .none }
    mutating func take(text: String?, for purpose: UIPurpose, isFinal: Bool) -> UIAnswer { .none }
    mutating func open(_ item: UIItem) -> Bool { false }
    mutating func pending() -> UIAnswer { .none }
    func plainLines(for viewer: Viewer) -> [String]? { nil }
    mutating func didRun(_ words: [String], since start: Instant) {}
    mutating func choose(among ids: [EntityID]) {}
    mutating func didFail(_ words: [String]) {}
}

/// An item that can be opened.
enum UIItem: Hashable, Sendable {
    case message(EntityID)
    case event(EntityID, CivilDate)
    case task(EntityID)
    case conversation(EntityID)
    case inbox
    case mailbox(account: String, name: String)
    case search(String)
    case board(String)
    /// The tasks of a filter.
    case tasks(String)
    case day(CivilDate)
}

/// The purpose of a typed text.
enum UIPurpose: Hashable, Sendable {
    case search
    case pattern
    case zone
    case message
}

/// The answer of a place to a movement.
enum UIAnswer: Sendable {
    /// Nothing is to be done but to draw.
    case none
    /// The store is read.
    case load
    /// The store is read, and something is told.
    case loadTelling(String)
    /// The place is left: at its outermost part, the program ends.
    case leave
    /// The movement means nothing here, for a reason.
    case refused(String)
    /// A text is asked for.
    case ask(UIPurpose, question: String, initial: String)
    /// A command is run, with what is chosen.
    case run(UITemplate)
    /// A command is run.
    case call(UICall)
    /// An item is opened in its own place.
    case open(UIItem)
    /// One of several is chosen.
    case choose(UIChooser)
}

/// A place without anything, for a program that has none of the name.
struct EmptyPlace: UIPlace {
    let name = UIPlaceName.today
    let bindings: [UIBinding] = []
    let status = ""
    let target = UITarget()
    mutating func resize(width: Int, height: Int) {}
    mutating func load(_ data: UIData) throws {}
    mutating func press(_ motion: UIMotion) -> UIAnswer { motion == .back ? .leave : .none }
    func draw(on frame: inout ScreenFrame, in area: ScreenArea, for viewer: Viewer) {}
}
