import Foundation
import TestSupport
import Testing

/// Drafts: nothing that was written is lost.
@Suite struct DraftTests {
    @Test func theEditorMakesADraftThatOtherProgramsSee() throws {
        let home = try HelixHome.writing()
        let maildir = try TestMaildir(home)
        try home.run("account", "add", "home", "maildir", maildir.path)
        let plan = try home.write("plan", to: "plan.txt")
        try home.editor(
            "sed -i 's/^Subject:.*/Subject: By hand/; s#^Bcc:.*#&\\nAttach: \(plan)#' \"$1\"; echo 'Hello Ana' >> \"$1\""
        )
        let kept = try home.run("mail", "new", "--to", "ana@example.org", "--json", "--edit")
        let draft = try #require(try kept.items().first)
        #expect(draft["subject"] as? String == "By hand" && draft["flags"] as? [String] == ["draft", "read"])
        #expect(draft["attachments"] as? [String] == ["plan.txt"])
        #expect(try maildir.files(".Drafts").first?.hasSuffix(":2,DS") == true)
        let id = try #require(draft["id"] as? String)

        // It goes on under the same id, each version can come back, and it takes what is attached along.
        try FileManager.default.removeItem(atPath: plan)
        try home.editor("sed -i 's/^To:.*/To: bo@example.org/' \"$1\"; echo 'More' >> \"$1\"")
        #expect(try HelixHome.ids(home.run("mail", "edit", id, "--json", "--edit")) == [id])
        func text() throws -> String {
            try home.run("mail", "read", id, "--json").items().first?["text"] as? String ?? ""
        }
        #expect(try text() == "Hello Ana\nMore")
        #expect(try maildir.files(".Drafts").count == 1)
        try home.run("undo")
        #expect(try text() == "Hello Ana")
        try home.run("redo")
        #expect(try text() == "Hello Ana\nMore")
        #expect(try home.run("mail", "search", "more", "--count").output == "1\n")

        #expect(try home.run("mail", "send", id).status == 0)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty && maildir.files(".Drafts").isEmpty)
        let message = try #require(try home.readByOthers().values.first)
        #expect((message["to"] as? [[String]])?.first?.last == "bo@example.org")
        #expect((message["attachments"] as? [[String]])?.first?.first == "plan.txt")
        try home.run("undo")
        #expect(try HelixHome.ids(home.run("mail", "drafts", "--json")) == [id])
        #expect(try home.run("mail", "discard", id).status == 0)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        try home.run("undo")
        #expect(try text() == "Hello Ana\nMore")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func anEditorThatWritesNothingLeavesNothing() throws {
        let home = try HelixHome.writing()
        try home.editor("true")
        let nothing = try home.run("mail", "new", "--to", "ana@example.org", "--edit")
        #expect(nothing.status == 0 && nothing.errors.contains("Nothing was written"))
        try home.editor("exit 1")
        #expect(try home.run("mail", "new", "--edit").status == 78)
        home.environment["EDITOR"] = "/nonexistent/editor"
        #expect(try home.run("mail", "new", "--edit").status == 78)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        // helix's own account, which was made for it, is nobody's change.
        #expect(try home.run("history", "--json").items().isEmpty)
    }

    @Test func whatWasBeingWrittenWhenHelixDiedIsFoundAgain() throws {
        let home = try HelixHome.writing()
        // The editor writes, and takes helix with it; it goes on a while itself.
        try home.editor(
            """
            echo 'Long thoughts' >> "$1"
            # The test shall not wait for it.
            for file in /proc/$$/fd/*; do
                    case $(readlink "$file") in pipe:*|socket:*) eval "exec ${file##*/}>&-" ;; esac
            done
            kill -9 $(ps -o ppid= -p $PPID) $PPID
            sleep 4
            """)
        #expect(try home.run("mail", "new", "--to", "ana@example.org", "-s", "Thoughts", "--edit").status == 128 + 9)
        let open = try home.run("mail", "drafts", "--json").items()
        #expect(open.isEmpty, "the editor is still open")
        Thread.sleep(forTimeInterval: 4.5)
        let found = try home.run("mail", "drafts")
        #expect(found.output.contains("Thoughts") && found.errors.contains("Recovered"))
        let draft = try #require(try home.run("mail", "drafts", "--json").items().first)
        #expect(draft["snippet"] as? String == "Long thoughts")
        #expect(try home.run("mail", "drafts", "--json").items().count == 1, "once")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aHeadThatCannotBeReadIsKeptAndOpenedAgain() throws {
        let home = try HelixHome.writing()
        try home.editor("sed -i 's/^To:.*/To: nobody at all/' \"$1\"; echo 'Precious' >> \"$1\"")
        let wrong = try home.run("mail", "new", "-s", "Hello", "--edit")
        #expect(wrong.status == 65 && wrong.errors.contains("line 2"))
        let id = try #require(wrong.errors.firstMatch(of: /mail edit ([0-9a-z]+)/)?.output.1)
        #expect(try home.run("mail", "drafts").errors.contains("mail edit"))
        #expect(try home.run("mail", "send", String(id)).status == 80)
        try home.editor("grep -q Precious \"$1\" && sed -i 's/^To:.*/To: ana@example.org/' \"$1\"")
        let mended = try home.run("mail", "edit", String(id), "--json", "--edit")
        #expect(try mended.items().first?["snippet"] as? String == "Precious", "\(mended.errors)")
        #expect(try home.run("mail", "drafts").errors.isEmpty)
    }

    @Test func withoutAnAddressOfOnesOwnWhatWasWrittenIsKept() throws {
        let home = try HelixHome()
        let sent = try home.run("mail", "new", "--to", "ana@example.org", "-s", "Hello", "-b", "Text")
        #expect(sent.status == 78 && sent.errors.contains("user.email") && sent.errors.contains("draft"))
        let draft = try #require(try HelixHome.ids(home.run("mail", "drafts", "--json")).first)
        #expect(try home.run("mail", "edit", draft, "--from", "me@example.org", "--send").status == 0)
        #expect(try home.run("outbox", "list", "--json").items().count == 1)
        // Or it is said once for all.
        try home.run("undo")
        try home.run("undo")
        #expect(try home.run("mail", "send", draft).status == 78)
        try home.run("config", "set", "user.email", "me@example.org")
        #expect(try home.run("mail", "send", draft).status == 0)
        let waiting = try home.run("outbox", "list", "--json").items()
        #expect((waiting.first?["message_id"] as? String)?.hasSuffix("@example.org") == true)
    }

    @Test func severalDraftsAreSentAllOrNoneAndEachOnce() throws {
        let home = try HelixHome.writing()
        func draft(_ options: String...) throws -> String {
            let kept = try home.run(["mail", "new", "-s", "x", "-b", "y", "--draft", "--json"] + options)
            return try #require(try HelixHome.ids(kept).first)
        }
        let (good, bad) = (try draft("--to", "a@example.org"), try draft())
        #expect(try home.run("mail", "send", good, bad).status == 64)
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
        #expect(try home.run("mail", "send", good, good).status == 0)
        let waiting = try HelixHome.ids(home.run("outbox", "list", "--json"))
        #expect(waiting.count == 1)
        #expect(try home.run("outbox", "cancel", waiting[0], waiting[0]).status == 0)
        #expect(try home.run("mail", "drafts", "--json").items().count == 2)
    }

    @Test func withoutATerminalNoEditorIsStarted() throws {
        let home = try HelixHome.writing()
        try home.editor("touch \"$HELIX_HOME/started\"")
        for command in [["mail", "new", "--to", "a@example.org"], ["mail", "new", "--json"]] {
            let result = try home.run(command)
            #expect(result.status == 64 && result.errors.contains("--body"))
        }
        #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/home/started"))
        // Options alone, even if they change nothing.
        let draft = try #require(
            try HelixHome.ids(
                home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "y", "--draft", "--json")
            ).first)
        #expect(try home.run("mail", "edit", draft, "-s", "x").status == 0)
        // An empty EDITOR is none.
        home.environment["EDITOR"] = ""
        #expect(try !home.run("mail", "new", "--edit").errors.contains("Permission denied"))
    }

    @Test func whileAnEditorIsOpenNothingElseTakesTheDraft() throws {
        let home = try HelixHome.writing()
        let draft = try #require(
            try HelixHome.ids(
                home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "y", "--draft", "--json")
            ).first)
        try home.editor(
            """
            helix=$(readlink /proc/$(ps -o ppid= -p $PPID | tr -d ' ')/exe)
            id=$(basename "$1" .eml)
            "$helix" mail discard "$id" > "$HELIX_HOME/log" 2>&1; echo "discard $?" >> "$HELIX_HOME/log"
            "$helix" mail send "$id" >> "$HELIX_HOME/log" 2>&1; echo "send $?" >> "$HELIX_HOME/log"
            echo more >> "$1"
            """)
        let edited = try home.run("mail", "edit", draft, "--edit")
        #expect(edited.status == 0, "\(edited.errors)")
        let log = try String(contentsOfFile: home.folder.path + "/home/log", encoding: .utf8)
        #expect(log.contains("discard 75") && log.contains("send 80"), "\(log)")
        #expect(try home.run("mail", "read", draft, "--json").items().first?["text"] as? String == "y\nmore")
    }

    @Test func optionsOfAnEditSayWhatStandsThere() throws {
        let home = try HelixHome.writing()
        try home.write("Zoë\n", to: ".signature")
        try home.run("config", "set", "mail.sign", "true")
        try home.editor("true")
        // What was said is kept, also if the editor adds nothing.
        let kept = try home.run(
            "mail", "new", "--to", "wrong@example.org", "-s", "x", "-b", "Text", "--edit", "--draft", "--json")
        let id = try #require(try HelixHome.ids(kept).first)
        try home.run("mail", "edit", id, "--to", "right@example.org", "-s", "y", "--edit")
        home.environment["EDITOR"] = "/nonexistent/editor"
        let failed = try home.run("mail", "new", "--body", "-", "--edit", input: "piped words\n")
        #expect(failed.status == 78 && failed.errors.contains("saved as draft"))
        #expect(
            try home.run("mail", "drafts", "--json").items().contains {
                ($0["snippet"] as? String)?.hasPrefix("piped words") == true
            })
        try home.editor("true")
        let draft = try #require(try home.run("mail", "read", id, "--json").items().first)
        #expect(draft["to"] as? [String] == ["right@example.org"] && draft["subject"] as? String == "y")
        #expect(draft["text"] as? String == "Text\n\n-- \nZoë", "signed once")
        let sent = try #require(try HelixHome.ids(home.run("mail", "send", id, "--json")).first)
        try home.run("outbox", "edit", sent, "--to", "last@example.org", "--edit")
        let waiting = try #require(try home.run("outbox", "show", sent, "--json").items().first)
        #expect(waiting["recipients"] as? [String] == ["last@example.org"])
        #expect(waiting["text"] as? String == "Text\n\n-- \nZoë" && waiting["state"] as? String == "queued")
    }
}
