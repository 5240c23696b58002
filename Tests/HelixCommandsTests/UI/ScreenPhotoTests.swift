import Foundation
import HelixGraphics
import HelixTerminal
import TestSupport
import Testing

@testable import HelixCommands

/// Images of messages on the screen.
@Suite struct ScreenPhotoTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        let mail = try TestMaildir(home)
        var picture = Picture(width: 300, height: 100, title: "")
        picture.rectangle(0, 0, 300, 50, PictureColor(0xFF0000))
        let png = Data(try PicturePainter.png(picture, scale: 1)).base64EncodedString(options: .lineLength76Characters)
        for (place, sender) in ["Ana <ana@example.org>", "Stranger <x@spam.example>"].enumerated() {
            let text = """
                From: \(sender)
                To: me@example.org
                Subject: Photo \(place)
                Date: Wed, 18 Nov 2026 09:0\(place):00 +0100
                Message-ID: <photo\(place)@x>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/plain

                Look.
                --b
                Content-Type: image/png; name=site.png
                Content-Transfer-Encoding: base64

                \(png)
                --b
                Content-Type: image/jpeg; name=broken.jpg
                Content-Transfer-Encoding: base64

                aGVsbG8=
                --b--

                """
            try mail.deliver(
                text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\n", with: "\r\n"))
        }
        try home.perform("account", "add", "home", "maildir", mail.path, "--address", "me@example.org")
        try home.perform("contacts", "add", "Ana", "--email", "ana@example.org")
        return home
    }

    /// Images of chat are shown below their message, once one has written in the conversation.
    @Test func imagesOfChatAreShown() throws {
        let home = try HelixHome()
        var picture = Picture(width: 300, height: 100, title: "")
        picture.rectangle(0, 0, 300, 50, PictureColor(0xFF0000))
        let file = home.folder.appendingPathComponent("site.png").path
        try Data(try PicturePainter.png(picture, scale: 1)).write(to: URL(fileURLWithPath: file))
        let broken = home.folder.appendingPathComponent("broken.png").path
        try Data("no image".utf8).write(to: URL(fileURLWithPath: broken))
        try home.perform("chat", "new", "House", "--message", "hello")
        for path in [broken, file] {
            #expect(try home.perform("chat", "send", "House", "look", "--attach", path).status == 0)
        }
        let screen = try ScreenDriver(home, at: .chat)
        #expect(screen.frame.images.isEmpty)
        screen.worker.data.images = TerminalImages(
            answers: Array("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c".utf8), cell: (10, 20))
        screen.worker.needsLoad = true
        try screen.settle()
        #expect(screen.frame.images.count == 1, "\(screen.text)")
        #expect(screen.text.contains("broken.png") && screen.text.contains("site.png"))
        // In a terminal without images, there are none.
        screen.worker.data.images = nil
        screen.worker.data.didChange()
        screen.worker.needsLoad = true
        try screen.settle()
        #expect(screen.frame.images.isEmpty)
    }

    private func read(_ subject: String, in home: HelixHome, answers: String?) throws -> ScreenDriver {
        let screen = try ScreenDriver(home, at: .mail)
        if let answers { screen.worker.data.images = TerminalImages(answers: Array(answers.utf8), cell: (10, 20)) }
        try screen.press("/")
        try screen.type("subject:\"\(subject)\"")
        try screen.press("enter")
        return screen
    }

    @Test(arguments: ["\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", "\u{1B}[?62;4c"])
    func imagesOfKnownPeopleAreShown(answers: String) throws {
        let home = try home()
        let screen = try read("Photo 0", in: home, answers: answers)
        let placed = try #require(screen.frame.images.first, "\(screen.text)")
        #expect(screen.frame.images.count == 1 && placed.image.width == 300 && placed.image.height == 100)
        #expect(placed.image.columns == 30 && placed.image.rows == 5)
        if answers.contains("62;4") {
            #expect(Array(placed.image.bytes.prefix(4)) == [255, 0, 0, 255])
        } else {
            #expect(Array(placed.image.bytes.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
        }
        // The image lies below its name, on empty lines.
        #expect(screen.screen[placed.area.y - 1].contains("site.png"))
        let covered = screen.screen[placed.area.y..<placed.area.y + placed.area.height]
        #expect(covered.allSatisfy { $0.isEmpty })
        #expect(screen.text.contains("broken.jpg  cannot make"))
        // It moves with the text, and lies under no window.
        try screen.press("ctrl-p")
        #expect(screen.frame.images.isEmpty)
        try screen.press("esc", "q")
        #expect(screen.frame.images.isEmpty)
    }

    @Test func imagesOfOthersAreNotDecoded() throws {
        let home = try home()
        let screen = try read("Photo 1", in: home, answers: "\u{1B}[?62;4c")
        #expect(screen.frame.images.isEmpty && screen.text.contains("2 images are not shown"))
    }

    @Test func aTerminalWithoutImagesShowsTheMessageAsBefore() throws {
        let home = try home()
        let screen = try read("Photo 0", in: home, answers: nil)
        #expect(screen.frame.images.isEmpty && !screen.text.contains("cannot make"))
    }
}
