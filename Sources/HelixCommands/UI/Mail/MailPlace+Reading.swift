import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// The message that is read.
extension MailPlace {
    /// The beginning of the command that fetches a message.
    static let fetching = ["mail", "read"]

    /// Whether the message that is read is not in the list any more.
    var isReaderGone: Bool {
        reader.map { rows.row(of: $0.id) == nil && rows.place(list.cursor)?.id != $0.id } ?? false
    }

    /// Reads the message that is shown.
    /// - Throws: ``HelixError``.
    mutating func read(_ context: CommandContext) throws {
        guard isReading || preview != .none else {
            reader = nil
            return
        }
        if isReading, let reader, isReaderGone {
            // Another program has taken it away: what is read does not become another message.
            if lastGone != reader.id { answer = .refused("This message is no longer in this list.") }
            lastGone = reader.id
            return
        }
        guard let place = rows.place(list.cursor) else {
            (reader, isReading, isTriage) = (nil, false, false)
            resize(width: width, height: height)
            return
        }
        let area = readerArea
        let isShown = reader?.id == place.id && reader?.width == area.width
        if isShown, reader?.isPartial == false { return }
        do {
            let message = try context.store().message(place.id)
            if message.traits & MessageSummary.Traits.isPartial.rawValue != 0 {
                return fetch(message, isShown: isShown)
            }
            reader = try MailReader(
                place.id, width: area.width, height: area.height, showsQuotes: isReading && showsQuotes, context)
            reader?.text.show(readerTop)
            readerTop = 0
            unmarked = isReading ? place.id : nil
        } catch let error as HelixError where error.code != .locked {
            reader = MailReader(place.id, width: area.width, height: area.height, failure: error)
        }
    }

    /// Shows the head of a message whose text is still at its server, and fetches the text beside the program: a slow network
    /// keeps no key waiting.
    private mutating func fetch(_ message: EmailMessage, isShown: Bool) {
        // Once only: what failed is tried again when the message is opened again.
        if isShown, !isReading || reader?.isFetched == true { return }
        let area = readerArea
        reader = MailReader(MailItem(message: message), width: area.width, height: area.height, isFetched: isReading)
        guard isReading else { return }
        var call = UICall(words: MailPlace.fetching + [message.id.text, "--keep-unread"])
        (call.isBackground, call.isQuiet) = (true, true)
        answer = .call(call)
    }

    /// Notes that the text of a message could not be fetched.
    mutating func didNotFetch(_ id: EntityID) {
        if reader?.id == id { reader?.didNotFetch() }
    }

    /// Marks the message that is read, through the door of `helix mail read`.
    /// - Throws: ``HelixError``.
    mutating func markRead(_ context: CommandContext) throws {
        guard let id = unmarked else { return }
        unmarked = nil
        guard isReading, reader?.id == id else { return }
        let store = try context.store()
        let message = try store.message(id)
        try context.endSnooze(of: [message])
        if !message.flags.contains(.seen) { try store.markSeen([id]) }
        items[message.number]?.message.flags.insert(.seen)
    }
}
