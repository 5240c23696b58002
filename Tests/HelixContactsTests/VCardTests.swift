import Testing

@testable import HelixContacts

@Suite struct VCardTests {
    @Test func datesHaveSeveralForms() {
        for (text, shown) in [
            ("1996-04-15", "1996-04-15"), ("19960415", "1996-04-15"), ("--0415", "--04-15"), ("--04-15", "--04-15"),
            ("1996-04-15T10:00:00Z", "1996-04-15"),
        ] {
            #expect(ContactDate(text)?.text == shown)
        }
        for text in ["1996", "1996-04", "soon", "--0230", "19960230", ""] { #expect(ContactDate(text) == nil) }
    }
}
