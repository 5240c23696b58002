"""Messages with attached files of many forms, for the index: attached_files.py FOLDER

Each is written as NAME.eml. A file has the words that a search must find, those of its form: 'docxword', 'pdfword' and so on.
"""

import gzip
import io
import os
import sys
import tarfile
import zipfile
import zlib
from email.message import EmailMessage
from email.utils import format_datetime
from datetime import datetime, timezone

folder = sys.argv[1]


def zipped(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def pdf(text):
    """A page with one line of text."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
docx = zipped({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": f"<w:document {W}><w:body><w:p><w:r><w:t>docx</w:t></w:r><w:r><w:t>word ends</w:t></w:r></w:p>"
                         f"<w:p><w:r><w:t>second &amp; paragraph Übung</w:t></w:r></w:p></w:body></w:document>",
    "word/footnotes.xml": f"<w:footnotes {W}><w:p><w:t>footnoteword</w:t></w:p></w:footnotes>",
})
xlsx = zipped({
    "xl/sharedStrings.xml": "<sst><si><t>xlsxword</t></si><si><r><t>rich</t></r><r><t>text</t></r></si></sst>",
    "xl/worksheets/sheet1.xml": '<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>inlineword</t></is></c>'
                                '<c><v>73519.25</v></c><c t="b"><v>1</v></c><c t="str"><f>A1</f><v>formulaword</v></c>'
                                '</row></sheetData></worksheet>',
})
pptx = zipped({"ppt/slides/slide1.xml": '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>pptxword</a:t></a:r></a:p></p:sld>'})
odt = zipped({
    "mimetype": "application/vnd.oasis.opendocument.text",
    "content.xml": '<office:document-content xmlns:office="o" xmlns:text="t"><text:p>odtword <text:span>inside</text:span></text:p>'
                   "</office:document-content>",
}, zipfile.ZIP_STORED)
tar = io.BytesIO()
with tarfile.open(fileobj=tar, mode="w") as archive:
    for name in ("tarword/plan.txt", "x" * 120 + "/longtarname"):
        info = tarfile.TarInfo(name)
        info.size = 3
        archive.addfile(info, io.BytesIO(b"abc"))
laughs = '<!DOCTYPE x [<!ENTITY a "' + "ha" * 100 + '">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{("&" + chr(97 + n) + ";") * 50}">' for n in range(8)) + "]><w:p><w:t>&i; laughword</w:t></w:p>"
bomb = zipped({"word/document.xml": b"<w:p><w:t>" + b"a" * (300 << 20) + b"</w:t></w:p>"})

rtf = (
    rb"{\rtf1\ansi\ansicpg1250\deff0{\fonttbl{\f0 Fontword;}}{\*\generator Generatorword;}{\info{\title t}}"
    rb"before{\header Headword}\f0 rtfword P\'f8\'edli\'9a\par {\field{\*\fldinst HYPERLINK hiddenlink}{\fldrslt shownlink}} "
    rb"\uc1 nach\u26085?\u26412? \'7b{\b split}word\par}"
)
messages = {
    "pdf": [("report.pdf", "application", "pdf", pdf("pdfword here"))],
    "pdf-named": [("report.PDF", "application", "octet-stream", pdf("namedword"))],
    "docx": [("letter.docx", "application", "octet-stream", docx)],
    "xlsx": [("sums.xlsx", "application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsx)],
    "pptx": [("talk.pptx", "application", "octet-stream", pptx)],
    "odt": [("letter.odt", "application", "vnd.oasis.opendocument.text", odt)],
    "html": [("page.html", "text", "html", "<p>htmlword <b>bold</b></p><script>scriptword</script>".encode())],
    "text": [("notes.txt", "text", "plain", "textword ä".encode())],
    "zip": [("all.zip", "application", "zip", zipped({"zipword/inside.txt": "hiddenword"}))],
    "tar": [("all.tar", "application", "x-tar", tar.getvalue())],
    "two": [("one.txt", "text", "plain", b"firstword"), ("two.pdf", "application", "pdf", pdf("otherword"))],
    "broken-pdf": [("broken.pdf", "application", "pdf", b"%PDF-1.4\nnothing")],
    "broken-docx": [("broken.docx", "application", "octet-stream", docx[:200])],
    "laughs": [("laughs.docx", "application", "octet-stream", zipped({"word/document.xml": laughs}))],
    "bomb": [("bomb.docx", "application", "octet-stream", bomb)],
    "tar-gz": [("all.tar.gz", "application", "gzip", gzip.compress(tar.getvalue().replace(b"tarword", b"tgzword")))],
    "gz": [("notes.txt.gz", "application", "octet-stream", gzip.compress("gzword ö".encode()))],
    "rtf": [("letter.rtf", "application", "rtf", rtf)],
    "rtf-text": [("other.rtf", "text", "rtf", rb"{\rtf1\ansi secondrtf}")],
    "epub": [("book.epub", "application", "epub+zip", zipped({
        "mimetype": "application/epub+zip", "OEBPS/one.xhtml": "<html><body><p>epubword Straße</p></body></html>",
        "OEBPS/two.html": "<p>chaptertwo</p>", "OEBPS/style.css": "styleword"}))],
    "wide": [("wide.txt", "text", "plain", b"\xff\xfe" + "wideword Ž".encode("utf-16-le"))],
    "bare": [("bare.txt", "text", "plain", "wideword without a mark".encode("utf-16-be"))],
    "part-gz": [("part.txt.gz", "application", "gzip", gzip.compress(os.urandom(4000) + b"x" * 4000)[:-2000])],
    "doc": [("old.doc", "application", "msword", b"\xd0\xcf\x11\xe0docword")],
    "rar": [("all.rar", "application", "octet-stream", b"Rar!rarword")],
    "broken-gz": [("cut.txt.gz", "application", "gzip", b"\x1f\x8b\x08" + b"\xff" * 40)],
    "image": [("photo.png", "image", "png", b"\x89PNG\r\n\x1a\n")],
}
for number, (name, files) in enumerate(messages.items()):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ana <ana@example.org>", "me@example.org", f"Files {name}"
    message["Date"] = format_datetime(datetime(2026, 11, 17, 9, number, tzinfo=timezone.utc))
    message["Message-ID"] = f"<{name}@files>"
    message.set_content(f"The text of {name}.\n")
    for filename, main, sub, data in files:
        message.add_attachment(data, maintype=main, subtype=sub, filename=filename)
    with open(os.path.join(folder, f"{name}.eml"), "wb") as file:
        file.write(message.as_bytes())
