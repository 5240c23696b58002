import HelixModel
import Testing

@testable import HelixStore

@Suite struct ChatIntakeTests {
    /// A message that waits for another attempt is neither sent before its time nor forgotten by a sync's report.
    @Test func whatWaitsForAnotherAttemptIsKnown() throws {
        let test = try TestStore()
        let number = try test.store.change("", command: "test") { change in
            try change.addMailAccount("gate", kind: .gateway, path: test.home.folder.path + "/gate")
        }
        let account = try #require(try test.store.accounts().first { $0.id == number })
        let id = EntityID()
        let remote = RemoteConversation(
            conversation: Conversation(
                id: id, kind: .group, name: "pipes", account: account.id, remote: id.text, createdAt: test.now,
                role: .member), members: [], first: 1, last: 0)
        try test.store.takeChat(of: account, cursor: "9") { intake in _ = try intake.take(remote, isWhole: true) }
        let message = ChatMessage(
            id: EntityID(), conversation: id, sender: "ana", isMine: true, content: "hello", sentAt: test.now)
        try test.store.database.execute(
            sql: """
                INSERT INTO chat_message (id, conversation, content, sender, is_mine, sent_at, state)
                VALUES (?, ?, 'hello', 'ana', 1, ?, 'pending')
                """, arguments: [message.id.text, id.text, test.now.seconds])
        #expect(try test.store.chatErrands(of: account.id).count == 1)
        #expect(try test.store.delayedChat(of: account.id).isEmpty)
        try test.store.didFail(message, "the database does not answer", isFinal: false, wait: 20)
        #expect(try test.store.chatErrands(of: account.id).isEmpty)
        let delayed = try test.store.delayedChat(of: account.id)
        #expect(delayed.map(\.conversation) == ["pipes"] && delayed.map(\.count) == [1] && delayed.map(\.wait) == [20])
        #expect(delayed.first?.problem == "the database does not answer")
        test.store.now = test.now + 21
        #expect(try test.store.delayedChat(of: account.id).isEmpty)
        #expect(try test.store.chatErrands(of: account.id).count == 1)
    }

    /// A joined conversation whose second message was edited since: the page has that one, and not the first and the third.
    @Test func messagesOfAJoinedConversationAreMissingUntilTheyAreFetched() throws {
        let test = try TestStore()
        let number = try test.store.change("", command: "test") { change in
            try change.addMailAccount("gate", kind: .gateway, path: test.home.folder.path + "/gate")
        }
        let account = try #require(try test.store.accounts().first { $0.id == number })
        let id = EntityID()
        let remote = RemoteConversation(
            conversation: Conversation(
                id: id, kind: .group, name: "pipes", account: account.id, remote: id.text,
                createdAt: test.now, role: .member), members: [], first: 1, last: 4)
        func message(_ number: Int64) -> ChatMessage {
            ChatMessage(
                id: EntityID(), conversation: id, number: number, sender: "bo", isMine: false, content: "\(number)",
                sentAt: test.now)
        }
        let missing = try test.store.takeChat(of: account, cursor: "9") { intake in
            let taken = try intake.take(remote, isWhole: false)
            _ = try intake.take(try intake.placed([message(2)]), name: "ana")
            return taken.missing
        }
        #expect(missing == 1...4)
        // The process dies here: the next one finds what is missing, not only what is before the message it has.
        #expect(try test.store.chatGaps(of: account.id).map(\.missing) == [1...4])
        // Fetched from the end, and interrupted again.
        try test.store.takeChat(of: account) { intake in
            _ = try intake.take(try intake.placed([message(3), message(4)]), name: "ana")
            try intake.didFetch(id, from: 3)
        }
        #expect(try test.store.chatGaps(of: account.id).map(\.missing) == [1...2])
        try test.store.takeChat(of: account) { intake in
            _ = try intake.take(try intake.placed([message(1)]), name: "ana")
            try intake.didFetch(id, from: 1)
        }
        #expect(try test.store.chatGaps(of: account.id).isEmpty)
        // A complete list has them all.
        let other = EntityID()
        var whole = remote
        (whole.conversation.id, whole.conversation.remote) = (other, other.text)
        try test.store.takeChat(of: account) { intake in
            try intake.take(whole, isWhole: true)
            var all = (1...4).map { message(Int64($0)) }
            for place in all.indices { all[place].conversation = other }
            _ = try intake.take(try intake.placed(all), name: "ana")
        }
        #expect(try test.store.chatGaps(of: account.id).isEmpty)
    }
}
