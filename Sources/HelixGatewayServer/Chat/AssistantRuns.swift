import Dispatch
import HelixGatewayStore
import HelixModel
import HelixNetwork
import Synchronization

/// The assistant that a gateway offers its users.
public struct AssistantConfiguration: Sendable {
    /// Where it answers, by OpenAI's protocol; nil is an Ollama on this machine.
    public var url: String?
    /// The model; nil is the first one that there is.
    public var model: String?
    /// What one signs in with.
    public var key: String?
    /// What it is told before everything else.
    public var prompt: String?
    /// How many messages of a conversation it is given.
    public var history: Int

    /// Such an assistant.
    public init(url: String?, model: String?, key: String?, prompt: String?, history: Int) {
        self.url = url
        self.model = model
        self.key = key
        self.prompt = prompt
        self.history = history
    }
}

/// The answers that the assistant is giving, each on a thread of its own.
final class AssistantRuns: Sendable {
    /// An answer in the making.
    private final class Run: Sendable {
        let id: String
        let room: EntityID
        let user: EntityID
        let isAborted = Mutex(false)

        init(_ id: String, room: EntityID, user: EntityID) {
            self.id = id
            self.room = room
            self.user = user
        }
    }

    private let configuration: AssistantConfiguration
    private let queue = DispatchQueue(label: "helix.gateway.assistant", attributes: .concurrent)
    private let runs = Mutex<[String: Run]>([:])
    /// Texts go out at most so often, in milliseconds.
    private static let pace: Int64 = 150
    /// So many answers are made at the same time, and so many for one user.
    private static let (most, mostEach) = (32, 3)

    init(_ configuration: AssistantConfiguration) { self.configuration = configuration }

    /// The answers in the making in a conversation of a user.
    func active(in room: EntityID, of user: EntityID) -> [String] {
        runs.withLock { $0.values.filter { $0.room == room && $0.user == user }.map(\.id).sorted() }
    }

    /// Breaks answers off.
    /// - Parameter id: that one alone.
    /// - Returns: those that were in the making.
    func abort(in room: EntityID, of user: EntityID, only id: String?) -> [String] {
        let chosen = runs.withLock {
            $0.values.filter { $0.room == room && $0.user == user && (id == nil || $0.id == id) }
        }
        for run in chosen { run.isAborted.withLock { $0 = true } }
        return chosen.map(\.id).sorted()
    }

    /// Breaks all off: the gateway stops.
    func finish() {
        for run in runs.withLock({ Array($0.values) }) { run.isAborted.withLock { $0 = true } }
        queue.sync(flags: .barrier) {}
    }

    /// Begins an answer to what a user has just said.
    ///
    /// - Parameters:
    ///   - id: what clients know the run by.
    ///   - key: what they know the conversation by.
    ///   - turns: what was said, the latest last.
    /// - Returns: false if there are too many already.
    func begin(
        _ id: String, key: String, room: EntityID, user: EntityID, turns: [CompletionClient.Turn],
        on server: GatewayServer
    ) -> Bool {
        let run = Run(id, room: room, user: user)
        // Clients choose what runs are called, and two users may choose the same.
        let name = "\(user.text) \(id)"
        let isBegun = runs.withLock { all in
            guard all[name] == nil, all.count < AssistantRuns.most,
                all.values.count(where: { $0.user == user }) < AssistantRuns.mostEach
            else { return false }
            all[name] = run
            return true
        }
        guard isBegun else { return false }
        queue.async { [self] in
            let outcome = Result { try answer(run, id, key, turns, on: server) }
            _ = runs.withLock { $0.removeValue(forKey: name) }
            finish(run, id, key, outcome, on: server)
        }
        return true
    }

    private func answer(
        _ run: Run, _ id: String, _ key: String, _ turns: [CompletionClient.Turn], on server: GatewayServer
    ) throws -> (text: String, isWhole: Bool) {
        let url = configuration.url ?? CompletionClient.local
        guard configuration.url != nil || CompletionClient.isThere(url) else {
            throw HelixError(.configuration, "this gateway has no assistant: whoever runs it sets assistant.url")
        }
        let client = try CompletionClient(url: url, model: configuration.model, key: configuration.key)
        let system = configuration.prompt.map { [CompletionClient.Turn(role: "system", content: $0)] } ?? []
        var (told, last, count): (String, Int64, Int) = ("", 0, 0)
        return try client.answer(system + turns.suffix(max(1, configuration.history))) { text in
            let now = server.milliseconds
            if text != told, now - last >= AssistantRuns.pace {
                count += 1
                // By bytes: a piece may end within what people see as one sign.
                let goesOn = text.utf8.starts(with: told.utf8)
                let added = goesOn ? String(decoding: Array(text.utf8.dropFirst(told.utf8.count)), as: UTF8.self) : text
                server.clients.tell(
                    run.user, "chat",
                    [
                        "runId": .string(id), "sessionKey": .string(key), "seq": .integer(count), "state": "delta",
                        "deltaText": .string(added), "replace": goesOn ? nil : true,
                        "message": AssistantRuns.message(text, at: now),
                    ])
                (told, last) = (text, now)
            }
            return !run.isAborted.withLock { $0 }
        }
    }

    private func finish(
        _ run: Run, _ id: String, _ key: String, _ outcome: Result<(text: String, isWhole: Bool), any Error>,
        on server: GatewayServer
    ) {
        switch outcome {
        case .failure(let error):
            let reason = (error as? HelixError)?.message ?? "the assistant failed"
            server.log.warning("the assistant failed", metadata: ["error": "\(reason)"])
            tell(run, id, key, ["state": "error", "errorMessage": .string(reason)], on: server)
        case .success(let (text, isWhole)):
            guard text.contains(where: { !$0.isWhitespace }) else {
                return tell(run, id, key, ["state": "aborted", "stopReason": "rpc"], on: server)
            }
            // What was said until it was broken off was said.
            server.withChat { store in
                let draft = ChatDraft(
                    id: server.identities.identity("answer", run.user, id),
                    content: ChatMessage.fitting(text),
                    role: .assistant)
                do {
                    let (line, isNew, _) = try store.say(
                        draft, in: run.room, by: run.user, asAssistant: true, now: server.now)
                    guard isNew else { return }
                    self.tell(
                        run, id, key,
                        [
                            "state": isWhole ? "final" : "aborted", "stopReason": isWhole ? nil : "rpc",
                            "message": AssistantRuns.message(line.content, at: line.sentAt.seconds * 1000),
                            "entry": ChatWire.json(line),
                        ], on: server)
                } catch {
                    let reason = (error as? HelixError)?.message ?? "the answer cannot be kept"
                    self.tell(run, id, key, ["state": "error", "errorMessage": .string(reason)], on: server)
                }
            }
        }
    }

    private func tell(_ run: Run, _ id: String, _ key: String, _ payload: JSONText, on server: GatewayServer) {
        let whole = payload.setting("runId", .string(id)).setting("sessionKey", .string(key)).setting("seq", 0)
        server.clients.tell(run.user, "chat", whole)
    }

    private static func message(_ text: String, at milliseconds: Int64) -> JSONText {
        [
            "role": "assistant", "content": [["type": "text", "text": .string(text)]],
            "timestamp": .integer(milliseconds),
        ]
    }
}
