import HelixModel
import Testing

/// One argument of the shell stays one value.
@Suite struct ArgumentQuotingTests {
    @Test(arguments: [
        (["project:big house"], "project:\"big house\""), (["Z", "project:big house"], "Z project:\"big house\""),
        (["note:see wiki page"], "note:\"see wiki page\""), (["project:house due<fri"], "project:house due<fri"),
        (["project:house +billing"], "project:house +billing"),
        (["project:house or project:garden"], "project:house or project:garden"),
        (["-project:big house"], "-project:\"big house\""), (["project!=big house"], "project!=\"big house\""),
        (["Note: buy milk"], "Note: buy milk"), (["Buy milk +home"], "Buy milk +home"),
        (["text:\"a b\" c"], "text:\"a b\" c"), (["subject:Re: offer"], "subject:\"Re: offer\""),
        (["9:30 review"], "9:30 review"), (["due:next friday"], "due:\"next friday\""), ([], ""),
    ])
    func valuesKeepTheirBlanks(_ c: (arguments: [String], line: String)) {
        #expect(ArgumentQuoting.line(c.arguments) == c.line)
    }
}
