"""The checks of pages find what they are for: without this, a check that looks at nothing would pass."""

import pytest

BAD = """<!DOCTYPE html><html lang="en"><title>x</title><body><main><h1>x</h1><input>
<p style="color: #999; background: #fff; width: 500px">pale and wide</p></main></body></html>"""


def test_pale_text_an_unlabelled_field_and_sideways_scrolling_are_found(visit, check_page, check_accessibility):
    page = visit("about:blank")
    page.set_content(BAD)
    with pytest.raises(AssertionError, match=r"(?s)color-contrast: \['p'\].*label: \['input'\]"):
        check_accessibility(page)
    page.set_content(BAD.replace("#999", "#000").replace("<input>", ""))
    with pytest.raises(AssertionError, match="scrolls sideways"):
        check_page(page, "bad")


def test_messages_exceptions_and_requests_to_other_hosts_are_faults(visit):
    page = visit("about:blank")
    page.set_content("<script>console.warn('hm'); setTimeout(() => { throw Error('oh') })</script>")
    page.set_content("<img alt='' src='http://elsewhere.invalid/x.png'>")
    page.wait_for_timeout(100)
    found = " ".join(visit.faults)
    visit.expect("")  # every fault
    assert "warning: hm" in found
    assert "exception: oh" in found or "exception: Error: oh" in found
    assert "request to http://elsewhere.invalid/x.png" in found
