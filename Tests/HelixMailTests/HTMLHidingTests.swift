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
        "<span style='mso-hide:all'>",
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
}
