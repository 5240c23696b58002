import Dispatch
import HelixGatewayStore
import HelixModel
import HelixNetwork
import Logging
import Synchronization

/// The configuration of the assistant that a gateway offers its users.
public struct AssistantConfiguration: Sendable {
    /// The URL of an OpenAI-compatible API; nil for an Ollama on this machine.
    public var url: String?
    /// The model; nil for the first available one.
    public var model: String?
    /// The API key.
    public var key: String?
    /// The system prompt.
    public var prompt: String?
    /// The number of messages of a conversation that are sent to it.
    public var history: Int

    /// Creates a configuration.
    public init(url: String?, model: String?, key: String?, prompt: String?, history: Int) {
        self.url = url
        self.model = model
        self.key = key
        self.prompt = prompt
        self.history = history
    }
}

/// The assistant's running answers, each on a thread of its own.
final class AssistantRuns: Sendable {
    /// A running answer.
    private final class Run: Sendable {
        let id: String
        let conversation: EntityID
        let user: EntityID
        /// The member of a group in whose name the answer is stored; nil in the user's own conversation with the assistant.
        let member: EntityID?
        let isAborted = Mutex(false)
        private let events = Atomic(0)
        private let states = Atomic(0)

        init(_ id: String, conversation: EntityID, user: EntityID, member: EntityID?) {
            self.id = id
            self.conversation = conversation
            self.user = user
            self.member = member
        }

        /// The number of the next `agent` event of the run.
        func nextEvent() -> Int { events.add(1, ordering: .relaxed).newValue }
        /// The number of the next `chat` event of the run.
        func nextState() -> Int { states.add(1, ordering: .relaxed).newValue }
    }

    private let configuration: AssistantConfiguration
    private let queue = DispatchQueue(label: "helix.gateway.assistant", attributes: .concurrent)
    private let runs = Mutex<[String: Run]>([:])
    private let ends = RunEnds()
    /// The assistant's own user, by which it is a member of groups; nil before there is one.
    private let ownUser = Mutex<EntityID?>(nil)
    /// The minimum interval between partial texts, in milliseconds.
    private static let pace: Int64 = 150
    /// The maximum number of concurrent answers: in total, and for one user.
    private static let (most, mostEach) = (32, 3)

    private let clock: GatewayClock
    private let clients: ClientNotifier
    private let chat: StoreQueue<any GatewayMessageStore>
    private let identities: SecretIdentities
    private let push: PushSender
    private let log: Logger

    init(
        _ configuration: AssistantConfiguration, clock: GatewayClock, clients: ClientNotifier,
        chat: StoreQueue<any GatewayMessageStore>, identities: SecretIdentities, push: PushSender,
        log: Logger
    ) {
        self.configuration = configuration
        self.push = push
        self.clock = clock
        self.clients = clients
        self.chat = chat
        self.identities = identities
        self.log = log
    }

    /// Makes a user its own; nil if it is in no group any more.
    func become(_ user: EntityID?) { ownUser.withLock { $0 = user } }

    /// Whether it should be a user, and is none: nobody has signed in yet, or the administrator disabled it.
    var hasNoUser: Bool { isConfigured && ownUser.withLock { $0 == nil } }

    /// Makes the user by which it can be a member of groups, unless the administrator disabled it. The first user is a person.
    func becomeUser(_ store: any GatewayAccountStore) {
        guard isConfigured else { return }
        do {
            guard try store.hasUsers() else { return }
            let found = try store.user(
                ofSubject: GatewayUser.assistantSubject, email: nil, name: ChatAssistant.name, now: clock.now)
            become(found.user.isDisabled ? nil : found.user.id)
        } catch { log.error("the assistant has no user", metadata: ["error": "\(error)"]) }
    }

    /// Whether a user is its own.
    func isOwn(_ user: EntityID) -> Bool { ownUser.withLock { $0 == user } }

    /// The number of messages that it is shown.
    var history: Int { max(1, configuration.history) }

    /// Whether the gateway was told of an assistant.
    var isConfigured: Bool { configuration.url != nil || configuration.model != nil }

    /// Its membership in a conversation, if it is to answer a text: in a group one that names it, `@assistant`.
    func member(of conversation: GatewayConversation, namedIn text: String) -> GatewayConversation.Member? {
        guard [.group, .direct].contains(conversation.kind), let own = ownUser.withLock({ $0 }),
            let member = conversation.members.first(where: { $0.user == own && $0.role != nil })
        else { return nil }
        return conversation.kind == .direct || ChatAssistant.isNamed(member.name, in: text) ? member : nil
    }

    /// The running answers in a conversation of a user.
    func active(in conversation: EntityID, of user: EntityID) -> [String] {
        runs.withLock { $0.values.filter { $0.conversation == conversation && $0.user == user }.map(\.id).sorted() }
    }

    /// Aborts answers.
    /// - Parameter id: the only one to abort; nil for all.
    /// - Returns: those that were running.
    func abort(in conversation: EntityID, of user: EntityID, only id: String?) -> [String] {
        let chosen = runs.withLock {
            $0.values.filter { $0.conversation == conversation && $0.user == user && (id == nil || $0.id == id) }
        }
        for run in chosen { run.isAborted.withLock { $0 = true } }
        return chosen.map(\.id).sorted()
    }

    /// Aborts all answers: the gateway is stopping.
    func finish() {
        for run in runs.withLock({ Array($0.values) }) { run.isAborted.withLock { $0 = true } }
        queue.sync(flags: .barrier) {}
    }

    /// Prepares an answer to a user's latest message.
    ///
    /// - Parameters:
    ///   - id: the identity of the run, as clients see it.
    ///   - key: the key of the conversation, as clients see it.
    ///   - member: the member of a group in whose name it answers; nil in a conversation of the user's own.
    ///   - turns: the messages, the latest last.
    /// - Returns: starts the answer, or drops it because the message was not stored; nil if too many are running already.
    func begin(
        _ id: String, key: String, conversation: EntityID, user: EntityID, member: EntityID? = nil,
        turns: [CompletionClient.Turn]
    ) -> (@Sendable (_ isStored: Bool) -> Void)? {
        let run = Run(id, conversation: conversation, user: user, member: member)
        // Clients choose the identities of runs, and two users may choose the same one.
        let name = "\(user.text) \(id)"
        let isBegun = runs.withLock { all in
            guard all[name] == nil, all.count < AssistantRuns.most,
                all.values.count(where: { $0.user == user }) < AssistantRuns.mostEach
            else { return false }
            all[name] = run
            return true
        }
        guard isBegun else { return nil }
        ends.began(name, at: clock.milliseconds)
        return { [self] isStored in
            guard isStored else {
                _ = runs.withLock { $0.removeValue(forKey: name) }
                return
            }
            queue.async { [self] in
                tellAgent(run, id, key, "lifecycle", ["phase": "start", "startedAt": .integer(clock.milliseconds)])
                let outcome = Result { try answer(run, id, key, turns) }
                _ = runs.withLock { $0.removeValue(forKey: name) }
                finish(run, id, key, outcome)
            }
        }
    }

    private func answer(
        _ run: Run, _ id: String, _ key: String, _ turns: [CompletionClient.Turn]
    ) throws -> CompletionClient.Answer {
        let url = configuration.url ?? CompletionClient.local
        guard configuration.url != nil || CompletionClient.isThere(url) else {
            throw HelixError(.configuration, "this gateway has no assistant: the administrator can set assistant.url")
        }
        let client = try CompletionClient(url: url, model: configuration.model, key: configuration.key)
        let system = configuration.prompt.map { [CompletionClient.Turn(role: "system", content: $0)] } ?? []
        var (told, last): (String, Int64) = ("", 0)
        let shown = run.member == nil ? Array(turns.suffix(history)) : turns
        return try client.answer(system + shown) { text in
            let now = clock.milliseconds
            // Members of a group see the answer when it is complete.
            if run.member == nil, text != told, now - last >= AssistantRuns.pace {
                // By bytes: a piece may end within a grapheme cluster.
                let goesOn = text.utf8.starts(with: told.utf8)
                let added = goesOn ? String(decoding: Array(text.utf8.dropFirst(told.utf8.count)), as: UTF8.self) : text
                clients.tell(
                    run.user, "chat",
                    [
                        "runId": .string(id), "sessionKey": .string(key), "seq": .integer(run.nextState()),
                        "state": "delta",
                        "deltaText": .string(added), "replace": goesOn ? nil : true,
                        "message": AssistantRuns.message(text, at: now),
                    ])
                tellAgent(run, id, key, "assistant", ["text": .string(text), "delta": .string(added)])
                (told, last) = (text, now)
            }
            return !run.isAborted.withLock { $0 }
        }
    }

    private func finish(
        _ run: Run, _ id: String, _ key: String, _ outcome: Result<CompletionClient.Answer, any Error>
    ) {
        switch outcome {
        case .failure(let error):
            let reason = (error as? HelixError)?.message ?? "the assistant failed"
            log.warning("the assistant failed", metadata: ["error": "\(reason)"])
            tell(run, id, key, ["state": "error", "errorMessage": .string(reason)])
        case .success(let answer):
            let (text, isWhole) = (answer.text, answer.isWhole)
            guard text.contains(where: { !$0.isWhitespace }) else {
                return tell(run, id, key, ["state": "aborted", "stopReason": "rpc"])
            }
            // The text up to an abort is kept.
            chat.perform { [identities, clock] store in
                let draft = ChatDraft(
                    id: identities.identity("answer", run.user, id),
                    content: ChatMessage.fitting(text), role: .assistant,
                    details: ChatDetails(
                        thinking: answer.thinking.isEmpty || run.member != nil
                            ? nil : ChatMessage.fitting(answer.thinking)))
                do {
                    try self.checkIsWanted(run, store)
                    let (message, isNew, seen) = try store.say(
                        draft, in: run.conversation, by: run.member ?? run.user, asAssistant: true, now: clock.now)
                    guard isNew else {
                        return self.ends.ended("\(run.user.text) \(id)", error: nil, at: clock.milliseconds)
                    }
                    if let member = run.member { return self.told(run, id, key, message, in: seen, by: member, store) }
                    self.tell(
                        run, id, key,
                        [
                            "state": isWhole ? "final" : "aborted", "stopReason": isWhole ? nil : "rpc",
                            "message": AssistantRuns.message(message.content, at: message.sentAt.seconds * 1000),
                            "entry": ChatWire.json(message),
                        ])
                    self.push.send(PushNotice(message, in: seen))
                } catch {
                    let reason = (error as? HelixError)?.message ?? "cannot store the answer"
                    self.tell(run, id, key, ["state": "error", "errorMessage": .string(reason)])
                }
            }
        }
    }

    /// Checks that the asker of an answer in a group is still a member, and the assistant was not disabled since.
    /// - Throws: ``HelixError``.
    private func checkIsWanted(_ run: Run, _ store: any GatewayMessageStore) throws {
        guard let member = run.member else { return }
        let conversation = try store.conversation(run.conversation, of: member)
        guard ownUser.withLock({ $0 == member }),
            conversation.members.contains(where: { $0.user == run.user && $0.role != nil })
        else { throw HelixError(.notAllowed, "the answer is not wanted any more") }
    }

    /// Tells the members of a conversation about the assistant's answer, up to which it has read everything.
    private func told(
        _ run: Run, _ id: String, _ key: String, _ message: GatewayMessage, in conversation: GatewayConversation,
        by member: EntityID, _ store: any GatewayMessageStore
    ) {
        clients.tell(
            conversation.users.filter { $0 != run.user }, "chat", ChatWire.event(message),
            as: .message(conversation: conversation.id, number: message.number, isNew: true))
        push.send(PushNotice(message, in: conversation))
        // The asker's clients wait for the end of the run.
        tell(
            run, id, key,
            [
                "state": "final", "message": AssistantRuns.message(message.content, at: message.sentAt.seconds * 1000),
                "entry": ChatWire.json(message),
            ])
        let mark = ConversationChange(delivered: message.number, read: message.number)
        do {
            let (changed, _) = try store.changeConversation(conversation.id, by: member, mark, now: clock.now)
            clients.tell(
                changed.users, "chat.changed",
                ["conversation": .string(changed.id.text), "ts": .integer(clock.milliseconds)],
                as: .conversation(changed.id, users: []))
        } catch { log.warning("the assistant's read mark is not stored", metadata: ["error": "\(error)"]) }
    }

    /// Sends the last events of a run: the one of the conversation is the last.
    private func tell(_ run: Run, _ id: String, _ key: String, _ payload: JSONText) {
        let whole = payload.setting("runId", .string(id)).setting("sessionKey", .string(key))
            .setting("seq", .integer(run.nextState()))
        let error = payload["errorMessage"]?.text
        tellAgent(
            run, id, key, "lifecycle",
            [
                "phase": error == nil ? "end" : "error", "endedAt": .integer(clock.milliseconds),
                "error": error.map { .string($0) },
            ])
        clients.tell(run.user, "chat", whole)
        ends.ended("\(run.user.text) \(id)", error: error, at: clock.milliseconds)
    }

    /// Sends an event of the run itself, beside those of the conversation: some clients read only these.
    private func tellAgent(_ run: Run, _ id: String, _ key: String, _ stream: String, _ data: JSONText) {
        clients.tell(
            run.user, "agent",
            [
                "runId": .string(id), "seq": .integer(run.nextEvent()), "stream": .string(stream),
                "ts": .integer(clock.milliseconds), "data": data, "sessionKey": .string(key),
            ])
    }

    /// Calls back when a run has ended, or the time is over.
    func wait(
        for id: String, of user: EntityID, milliseconds: Int, then done: @escaping @Sendable (RunEnds.State) -> Void
    ) { ends.wait(for: "\(user.text) \(id)", milliseconds: milliseconds, then: done) }

    private static func message(_ text: String, at milliseconds: Int64) -> JSONText {
        [
            "role": "assistant", "content": [["type": "text", "text": .string(text)]],
            "timestamp": .integer(milliseconds),
        ]
    }
}
