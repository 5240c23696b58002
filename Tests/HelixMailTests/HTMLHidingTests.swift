import HelixMail
import Testing

/// Text that a sender hides from readers is left out, and counted.
@Suite struct HTMLHidingTests {
    @Test(arguments: [
        "<span style='display:none'>", "<span style='DISPLAY : NONE !important'>", "<div hidden>",
        "<p style='visibility:hidden'>",
        "<span style='font-size:0'>", "<span style='font-size: 0.5pt'>", "<span style='font-size:1px'>",
        "<span style='opacity:0'>",
        "<span style='opacity:.01'>", "<div style='height:0;overflow:hidden'>",
        "<div style='max-height:0px; overflow: hidden'>",
        "<div style='position:absolute;left:-9999px'>", "<div style='position:fixed;top:-2000em'>",
        "<p style='text-indent:-9999px'>",
        "<div style='position:absolute;clip:rect(0,0,0,0)'>", "<span style='color:white'>", "<span style='color:#FFF'>",
        "<font color='#ffffff'>", "<span style='color:rgb(255, 255, 255)'>", "<span style='color:#fefefe'>",
        "<span style='color:transparent'>", "<span style='color:rgba(0,0,0,0)'>",
        "<div style='background:#123456'><span style='color:#123456'>",
        "<table bgcolor='red'><tr><td><font color='#ff0000'>",
        "<span style='mso-hide:all'>", "<span style='transform:scale(0)'>", "<span style='clip-path:inset(100%)'>",
        "<p style='margin-left:-9999px'>", "<span style='color:hsl(0,0%,100%)'>", "<span style='filter:opacity(0)'>",
        "<span style='dis\\70lay:none'>",
    ])
    func hiddenTextIsLeftOut(open: String) throws {
        let html = try HTMLText("<p>Seen \(open)secret words</p>")
        #expect(!html.text.contains("secret"), "\(html.text)")
        #expect(html.text.contains("Seen") && html.hiddenCount == 11, "\(html.hiddenCount)")
    }

    @Test(arguments: [
        "<span style='color:#333'>", "<div style='background-color:#000'><span style='color:#fff'>",
        "<b style='font-size:9px'>",
        "<div bgcolor='black' style='color:white'>", "<table bgcolor='navy'><tr><td style='color:#ffffff'>",
        "<div style='position:absolute;left:20px'>", "<div style='overflow:hidden;height:40px'>",
        "<a href='https://x.example' style='display:block'>",
        "<span style='opacity:0.6'>", "<p style='text-indent:-20px'>", "<span style='color:inherit'>",
        "<span style='nonsense'>",
        "<div style='background:url(x.png) white;color:white'>",
    ])
    func visibleTextStays(open: String) throws {
        let html = try HTMLText("<p>Seen \(open)plain words</p>")
        #expect(html.text.contains("plain words") && html.hiddenCount == 0, "\(html.text) \(html.hiddenCount)")
    }

    /// Rules of a sheet, as the mail of lists has them.
    @Test(arguments: [
        (".x{display:none}", "<p class=x>"), ("#z { visibility: hidden }", "<p id=z>"),
        ("p.x.y{opacity:0}", "<p class='y x'>"),
        (".small{font-size:1px}", "<span class='a small'>"), ("@media screen{.x{display:none}}", "<p class=x>"),
        ("/* c */ .a, .x {display:none !important}", "<p class=x style='display:block'>"),
        ("<!-- .x{display:none} -->", "<p class=x>"), ("@import url(a.css); .x{display:none}", "<p class=x>"),
        ("div .x{display:none}", "<div><p class=x>"), ("div > p.x{dis\\70lay:none}", "<div><p class=x>"),
        (".X{DISPLAY:NONE}", "<p class=X>"), ("@media print{.x{color:red}} .x{text-indent:-9999px}", "<p class=x>"),
    ])
    func sheetsHide(sheet: String, open: String) throws {
        let html = try HTMLText(
            "<html><head><style>\(sheet)</style></head><body><p>Seen</p>\(open)secret words</body></html>")
        #expect(!html.text.contains("secret"), "\(html.text)")
        #expect(html.text.contains("Seen") && html.hiddenCount == 11, "\(html.hiddenCount)")
    }

    @Test(arguments: [
        (".x{display:none}", "<p class=y>"), (".x{display:none}", "<p class=x style='display:block'>"),
        ("@media (max-width:600px){.x{display:none}}", "<p class=x>"),
        ("@media print{.x{display:none}}", "<p class=x>"),
        (".x:hover{display:none}", "<p class=x>"), ("td .x{display:none}", "<p class=x>"),
        (".x{color:#fff}", "<p class=x>"), (".x{display:none} #b.x{display:block}", "<p class=x id=b>"),
        ("--></style><!--<style>.x{display:none}</style>--><style>", "<p class=x>"), ("{}}}{.x{", "<p class=x>"),
        (".x{display:", "<p class=x>"),
    ])
    func sheetsShow(sheet: String, open: String) throws {
        let html = try HTMLText(
            "<html><head><style>\(sheet)</style></head><body><p>Seen</p>\(open)plain words</body></html>")
        #expect(html.text.contains("plain words") && html.hiddenCount == 0, "\(html.text) \(html.hiddenCount)")
    }

    /// A sheet that means harm costs no stack, and no time that grows with the square of its size.
    @Test func hostileSheetsAreBounded() throws {
        let deep = String(repeating: "@media{", count: 200_000)
        let wide = String(repeating: "p,", count: 300_000) + "p{opacity:1}"
        let long = String(repeating: "p ", count: 300_000) + "{display:none}"
        let many = (0..<50_000).map { ".c\($0){opacity:1}" }.joined()
        let page = String(repeating: "<p class='c1 c2'>word</p>", count: 2_000)
        for sheet in [
            deep, wide, long, many, String(repeating: "{", count: 500_000), String(repeating: "/*", count: 500_000),
        ] {
            let html = try HTMLText("<style>\(sheet)</style>\(page)")
            #expect(html.text.contains("word") && html.hiddenCount == 0)
        }
    }
}
