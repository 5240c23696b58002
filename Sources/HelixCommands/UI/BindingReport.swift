import HelixModel
import HelixTerminal

/// A key of `helix ui`, in a report.
struct BindingItem: DescribedItem {
    let place: String
    let name: String
    let keys: [String]
    let summary: String
    /// The line that the key stands for; nil for a movement.
    let command: String?

    static let described = list {
        Field("kind", .choice(["key"]), "The kind of the item.") { _ in "key" }
        Field("place", .string, "The place, or part of one, where it counts.") { $0.place }
        Field("name", .string, "Its name in the settings: keys.NAME.") { $0.name }
        Field("keys", .array(.string), "The keys; a sequence has blanks.") { $0.keys }
        Field("summary", .string, "Its purpose.") { $0.summary }
        Field("command", .string, required: false, "The command that it stands for, with gaps in braces.") {
            $0.command
        }
        Field("links", .array(.id), "Always empty: a key is no entity.") { _ in [String]() }
    }

    /// The keys of all places.
    static func all(_ keymap: UIKeymap) -> [BindingItem] {
        return (UIBindings.parts + [("everywhere", UIBindings.program)]).flatMap { place, bindings in
            bindings.map { binding in
                BindingItem(
                    place: place, name: binding.name, keys: keymap.keys(of: binding), summary: binding.summary,
                    command: binding.command)
            }
        }
    }
}

extension UIBinding {
    /// The line that the key stands for, with its gaps; nil for a movement.
    var command: String? {
        switch deed {
        case .command(let template): "helix " + template.line
        case .program(.undo): "helix undo"
        case .program(.redo): "helix redo"
        case .program(.sync): "helix sync"
        case .motion, .place, .program: nil
        }
    }
}

/// The keys of `helix ui`.
struct BindingReport: CuttableReport {
    static let schema = "helix.ui.keys/1"
    var items: [BindingItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(), .init(), .init(minimum: 20), .init(minimum: 12)])
        var place = ""
        for item in items {
            if item.place != place {
                if !place.isEmpty { table.heading("") }
                table.heading(StyledText(item.place, TextStyle(.cyan, bold: true)))
                place = item.place
            }
            table.row([
                StyledText(item.keys.joined(separator: ", "), .bold), StyledText(item.name, .dim),
                StyledText(item.summary), StyledText(item.command ?? "", .dim),
            ])
        }
        table.draw(on: &canvas, indent: 2)
    }
}
