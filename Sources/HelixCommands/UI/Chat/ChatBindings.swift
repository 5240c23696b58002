/// The keys of chat.
enum ChatBindings {
    static let all: [UIBinding] =
        [
            UIBinding("write", ["enter", "i"], "Write a message", .motion(.type)),
            UIBinding("next-chat", ["J", "right", "n"], "Next conversation", .motion(.next)),
            UIBinding("previous-chat", ["K", "left", "p"], "Previous conversation", .motion(.previous)),
            UIBinding(
                "prompt", ["o"], "Open the live prompt, with commands and answers as they are written",
                UITemplate(line: "chat open {id}", needsTerminal: true)),
            UIBinding(
                "new-chat", ["c"], "Start a conversation",
                UITemplate(line: "chat new {?*}", question: "Name, or --with NAME")),
            UIBinding("members", ["m"], "Show the members", UITemplate(line: "chat members {id}", showsOutput: true)),
            UIBinding("links", ["l"], "Open a link of the messages", .motion(.links)),
            UIBinding("mute", ["M"], "Mute the conversation", runs: "chat mute {id}"),
            UIBinding("archive", ["a"], "Archive the conversation", runs: "chat archive {id}"),
            UIBinding(
                "react", ["+"], "React to the last message",
                UITemplate(line: "chat react {message} {?}", question: "Emoji", suggestion: "👍")),
            UIBinding(
                "older", ["pageup", "ctrl-b", "["], vim: ["pageup", "ctrl-b", "ctrl-u"], "Earlier messages",
                .motion(.pageUp)),
            UIBinding(
                "newer", ["pagedown", "ctrl-f", "]"], vim: ["pagedown", "ctrl-f", "ctrl-d"], "Later messages",
                .motion(.pageDown)),
            UIBinding("line-up", ["k", "up"], "Line up", .motion(.up)),
            UIBinding("line-down", ["j", "down"], "Line down", .motion(.down)),
            UIBinding("oldest", ["home", "="], vim: ["g g", "home"], "First message that is loaded", .motion(.first)),
            UIBinding("newest", ["end", "*"], vim: ["G", "end"], "Last message", .motion(.last)),
            UIBinding(
                "search", ["/"], "Search all conversations",
                UITemplate(line: "chat search {?*}", question: "Search", showsOutput: true)),
        ]
}
