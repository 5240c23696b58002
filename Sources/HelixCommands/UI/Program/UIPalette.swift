import ArgumentParser
import HelixContacts
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// The choices of the palette: places, commands, mailboxes, people, events, tasks and conversations.
enum UIPalette {
    /// All choices.
    /// - Throws: ``HelixError``.
    static func chooser(_ data: UIData) throws -> UIChooser {
        let context = try data.context()
        let store = try context.store()
        var choices: [UIChooser.Choice] = UIPlaceName.allCases.map {
            UIChooser.Choice(name: $0.title, detail: "place", effect: .place($0))
        }
        choices += try store.mailboxes().map { box in
            UIChooser.Choice(
                name: box.mailbox.name, detail: "mailbox · \(box.account)",
                effect: .open(.mailbox(account: box.account, name: box.mailbox.name)))
        }
        choices += try store.savedSearches().map {
            UIChooser.Choice(name: "@" + $0.name, detail: "saved search", effect: .open(.search("@" + $0.name)))
        }
        choices += try store.boards().map {
            UIChooser.Choice(name: $0.name, detail: "board", effect: .open(.board($0.name)))
        }
        choices += try store.projects().map {
            UIChooser.Choice(
                name: $0.name, detail: "project", effect: .open(.tasks("project:" + ShellWords.quoted($0.name))))
        }
        choices += try store.conversations().filter { !$0.conversation.isArchived }.map {
            UIChooser.Choice(
                name: $0.conversation.name, detail: "chat", effect: .open(.conversation($0.conversation.id)))
        }
        let tasks = try store.tasks(
            .state(.open), order: .urgency, limit: most, zone: context.zone, urgency: context.urgency)
        choices += tasks.tasks.map {
            UIChooser.Choice(name: $0.task.title, detail: "task · \($0.column)", effect: .open(.task($0.task.id)))
        }
        let day = context.today
        let events = try store.occurrences(
            in: context.zone.range(from: day, to: day + 31), zone: context.zone)
        choices += events.prefix(most).map { event in
            let date = event.time.days(in: context.zone).first
            return UIChooser.Choice(
                name: event.title, detail: "event · \(DateWords.text(date))", effect: .open(.event(event.event, date)))
        }
        choices += try store.contacts(.everything, limit: most).contacts.map { person in
            UIChooser.Choice(
                name: person.name, detail: "person", effect: .open(.search("with:\"\(person.name)\"")))
        }
        choices += commands(below: Helix.self, path: [])
        return UIChooser("Go to", choices)
    }

    /// The most items of a kind.
    private static let most = 500

    /// The commands of the tree, each with its purpose.
    private static func commands(below type: any ParsableCommand.Type, path: [String]) -> [UIChooser.Choice] {
        type.configuration.subcommands.flatMap { child -> [UIChooser.Choice] in
            let configuration = child.configuration
            guard configuration.shouldDisplay, let name = configuration.commandName else { return [] }
            let words = path + [name]
            if !configuration.subcommands.isEmpty { return commands(below: child, path: words) }
            let line = words.joined(separator: " ")
            return [
                UIChooser.Choice(
                    name: line + "  " + configuration.abstract, detail: "command", effect: .type(line + " "))
            ]
        }
    }
}
