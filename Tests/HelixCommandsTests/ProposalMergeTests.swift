import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// What a person does meanwhile stands in the way of a proposal only where both change the same.
@Suite struct ProposalMergeTests {
    private let home: HelixHome
    private let message: String

    init() throws {
        home = try HelixHome(zone: "UTC")
        let maildir = try TestMaildir(home)
        try maildir.deliver("From: Ana <ana@x.org>\nTo: me@x.org\nSubject: Boiler\nMessage-ID: <1@x>\n\nHello.\n")
        try home.perform("account", "add", "home", "maildir", maildir.path)
        for (key, value) in [("change", "all"), ("changes", "propose"), ("send", "held")] {
            try home.perform("config", "set", "agent.planner.\(key)", value)
        }
        message = try home.perform("mail", "list", "--ids").output.trimmingCharacters(in: .newlines)
    }

    private func agent(_ words: String...) throws -> HelixHome.Result {
        let former = home.environment
        defer { home.environment = former }
        (home.environment["HELIX_AS"], home.environment["HELIX_RUN"]) = ("planner", "r1")
        return try home.perform(words)
    }

    private func accept(_ steps: String...) throws -> HelixHome.Result {
        let id = try #require(try home.perform("review", "--json").items().first?["id"] as? String)
        return try home.perform(["review", "accept", id] + steps)
    }

    /// Every order of flags and labels that both set.
    @Test func flagsAndLabelsAreMergedOneByOne() throws {
        try home.perform("mail", "label", message, "+old")
        for (theirs, mine) in [
            (["mail", "label", message, "+agent"], ["mail", "label", message, "+mine"]),
            (["mail", "label", message, "-old", "+two"], ["mail", "mark", "read", message]),
            (["mail", "mark", "starred", message], ["mail", "read", message]),
        ] {
            #expect(try agent(theirs[0], theirs[1], theirs[2], theirs[3]).status == 0 || theirs.count > 4)
            if theirs.count > 4 {
                #expect(try agent(theirs[0], theirs[1], theirs[2], theirs[3], theirs[4]).status == 0)
            }
            try home.perform(mine)
            let result = try accept()
            #expect(result.status == 0, "\(theirs) \(mine): \(result.errors)")
        }
        let item = try home.perform("mail", "read", message, "--json").items().first
        #expect(Set(item?["labels"] as? [String] ?? []) == ["agent", "mine", "two"])
        #expect(Set(item?["flags"] as? [String] ?? []) == ["starred", "read"])
        #expect(try home.perform("doctor").output.contains("✗") == false)
    }

    @Test func aStepNeedsThoseThatItBuildsOn() throws {
        #expect(try agent("tasks", "add", "Paint").status == 0)
        let id = try agent("tasks", "list", "--ids").output.trimmingCharacters(in: .newlines)
        #expect(try agent("tasks", "edit", id, "due:fri").status == 0)
        let refused = try accept("2")
        #expect(refused.status == 80 && refused.errors.contains("needs step 1"), "\(refused.errors)")
        #expect(try home.perform("tasks", "list", "--ids").output.isEmpty)
        #expect(try accept("1", "2").status == 0)
        // An undo of a step that is still open.
        #expect(try agent("tasks", "add", "Other").status == 0)
        #expect(try agent("undo").status == 0)
        #expect(try accept("2").errors.contains("needs step 1"))
        #expect(try accept("1").status == 0)
        #expect(try accept("2").status == 0)
        #expect(try home.perform("tasks", "list").output.contains("Other") == false)
    }

    /// A message in the outbox stays that of the agent who wrote it, whoever brings it back.
    @Test func theAuthorOfAMessageStays() throws {
        try home.perform("config", "set", "user.email", "me@x.org")
        try home.perform("config", "set", "agent.planner.changes", "direct")
        #expect(try agent("mail", "new", "--to", "bo@x.org", "-s", "Hi", "-b", "Hello", "--send").status == 0)
        let id = try home.perform("outbox", "list", "--ids").output.trimmingCharacters(in: .newlines)
        for _ in 0..<2 {
            #expect(try home.perform("outbox", "cancel", id).status == 0)
            #expect(try home.perform("undo").status == 0)
            #expect(try home.perform("outbox", "list", "--json").items().first?["by"] as? String == "planner")
        }
    }

    @Test func aRefusedMessageIsSaidToBeADraft() throws {
        try home.perform("config", "set", "user.email", "me@x.org")
        try home.perform("config", "set", "agent.planner.changes", "direct")
        try home.perform("config", "set", "agent.planner.send", "never")
        let result = try agent("mail", "new", "--to", "bo@x.org", "-s", "Hi", "-b", "Hello", "--send")
        #expect(result.status == 77 && result.errors.contains("Your text is saved as draft"), "\(result.errors)")
        #expect(try home.perform("mail", "drafts", "--json").items().count == 1)
    }

    /// What the person did is not the agent's to take back, and what the person took back is not its to do again.
    @Test func anAgentUndoesItsOwnChangesAlone() throws {
        try home.perform("config", "set", "agent.planner.changes", "direct")
        #expect(try agent("tasks", "add", "theirs").status == 0)
        try home.perform("tasks", "add", "mine")
        let own = try #require(
            try home.perform("history", "--ids").output.split(separator: "\n").first.map(String.init))
        #expect(try agent("undo", own).status == 77)
        #expect(try agent("undo").output.contains("theirs"))
        #expect(try agent("undo").status == 66)
        #expect(try home.perform("tasks", "list").output.contains("mine"))
        #expect(try agent("redo").output.contains("theirs"))
        try home.perform("undo", "--by", "planner")
        #expect(try agent("redo").status == 77)
        #expect(try !home.perform("tasks", "list").output.contains("theirs"))
    }

    /// A conflict is shown before anything is accepted.
    @Test func aConflictIsShown() throws {
        try home.perform("tasks", "add", "Paint")
        let id = try home.perform("tasks", "list", "--ids").output.trimmingCharacters(in: .newlines)
        #expect(try agent("tasks", "edit", id, "title:Paint the door").status == 0)
        let proposal = try #require(try home.perform("review", "--json").items().first?["id"] as? String)
        #expect(try home.perform("review", "show", proposal, "--json").items().first?["conflict"] == nil)
        try home.perform("tasks", "edit", id, "title:Paint the wall")
        let shown = try home.perform("review", "show", proposal)
        #expect(
            shown.output.contains("It cannot be accepted as it is") && shown.output.contains("title"), "\(shown.output)"
        )
        #expect(try home.perform("tasks", "list").output.contains("the wall"))
        #expect(try accept().status == 80)
    }
}
