import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// The options common to mail commands.
struct MailOptions: ParsableArguments {
    @Flag(name: .long, help: "Do not index new mail first.")
    var noIndex = false

    /// No options given.
    static var unset: MailOptions {
        var options = MailOptions()
        options.noIndex = false
        return options
    }
}

extension CommandContext {
    /// The store, after indexing new mail.
    /// - Throws: ``HelixError``.
    func mailStore(_ options: MailOptions) throws -> Store {
        let store = try store()
        // The screen indexes beside its commands.
        if options.noIndex || invocation.isOfScreen { return store }
        do {
            let outcome = try indexing { try store.indexMail(progress: $0) }
            for problem in outcome.problems.prefix(3) { note(StyledText(problem, .dim)) }
            // Replies and event changes received by mail.
            if outcome.added > 0 {
                for words in try InvitationIntake(store, own: ownAddresses.map(\.address)).run() {
                    note(StyledText(words + "."))
                }
            }
            try runRules(store)
        } catch let error as HelixError where [.notFound, .notAllowed, .io, .busy].contains(error.code) {
            // Indexed mail can still be read.
            note(StyledText("Not up to date: \(HelixError.reason(error)).", TextStyle(.yellow)))
        }
        return store
    }

    /// Indexes with progress on a terminal, if it takes long.
    /// - Throws: what `body` throws.
    func indexing<Outcome>(
        _ verb: String = "Indexing", _ body: (@escaping (Int, Int) -> Void) throws -> Outcome
    ) throws -> Outcome {
        let progress = ProgressLine(
            "\(verb) mail", .items("messages"), on: console, isQuiet: output.isMachine || output.quiet)
        defer { progress.end() }
        return try body { progress.update($0, of: $1) }
    }

    /// The file of a complete message, fetched from the server if needed.
    /// - Throws: ``HelixError``: `offline` if the server cannot be reached.
    func wholeFile(_ id: EntityID) throws -> String {
        var message = try store().message(id)
        return try wholeFile(&message)
    }

    /// Like ``wholeFile(_:)``, for a loaded message, which is updated if it is fetched.
    /// - Throws: ``HelixError``: `offline` if its server cannot be reached.
    func wholeFile(_ message: inout EmailMessage) throws -> String {
        let store = try store()
        if message.traits & MessageSummary.Traits.isPartial.rawValue != 0 {
            try BodyFetch(store, gateway: gatewayMaker).run(message.id)
            message = try store.message(message.id)
        }
        let path = try store.messageFile(message.id)
        let found = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        if let found, found < message.size {
            store.warnings.append(
                "the file of the message \(message.id.text.prefix(6)) was cut off after it was indexed: "
                    + "\(found) of \(message.size) bytes are left")
            showWarnings(of: store)
        }
        return path
    }

    /// The parser of mail queries.
    var mailQueries: MailQueryParser {
        MailQueryParser(
            dates: dates, own: ownAddresses.map(\.address).uniqued, addresses: contactAddresses,
            saved: { [self] in try store().savedQuery(named: $0) })
    }

    /// Finds a message by a prefix of its id, or by its Message-ID.
    /// - Throws: ``HelixError``.
    func messageID(_ text: String) throws -> EntityID {
        // A Message-ID, as other programs and list archives print it.
        if text.contains("@") {
            let name = text.trimmingPrefix("<").prefix { $0 != ">" }
            for account in try store().mailAccounts() {
                if let found = try store().message(withID: String(name), in: account) { return found.id }
            }
            throw HelixError(.notFound, "no message with the Message-ID '\(name)'")
        }
        do {
            return try store().entity(EntityPrefix(text), kinds: [.message]).id
        } catch let error as HelixError where error.code == .notFound {
            guard let waiting = try? outgoing(text) else { throw error }
            throw HelixError(
                .notFound, "'\(waiting.subject)' is queued in the outbox",
                hint: "'helix outbox show \(text)' shows it, 'helix outbox cancel \(text)' makes it a draft again.")
        }
    }
}
