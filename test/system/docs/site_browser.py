#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the site as a reader does, in Chromium without a window, from files: site_browser.py SITE PICTURES

Opens each tab and a page of each, searches, switches to dark mode, uses the phone's menu. Fails on a console error, on a request to
another host, on a page that is wider than the window, and on a search without the page that a reader looks for. Keeps pictures at
1400 and 390 pixels. Exit status 77: Chromium or Playwright is missing.
"""
import os
import shutil
import sys
from urllib.parse import urlparse

TABS = ["Tutorials", "How-to", "Reference", "Explanation", "Measurements"]
SEARCHES = {  # what a reader types: the page that answers, among the first five
    "kiln::Session": "api/cpp/session.html",
    "--threads": "guide/command-line.html",
    "kiln_launch": "api/c/",
    "KILN_CACHE_DIR": "guide/environment.html",
    "saxpy": "examples/saxpy.html",
    "install": "guide/install.html",
}
PAGES = ["index.html", "guide/get-started.html", "guide/command-line.html", "api/cpp/session.html", "guide/python-tutorial.html", "guide/errors.html"]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def main():
    site, pictures = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip("Playwright is missing (./x docs installs it)")
    program = shutil.which("chromium") or shutil.which("chromium-headless-shell") or skip("Chromium is missing (Debian's package chromium)")
    os.makedirs(pictures, exist_ok=True)
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])

        def open_page(width, height):
            page = browser.new_page(viewport={"width": width, "height": height})
            page.on("console", lambda message: message.type == "error" and faults.append(f"{page.url}: console: {message.text}"))
            page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
            page.on("request", lambda request: urlparse(request.url).scheme in ("http", "https", "ws", "wss") and faults.append(f"{page.url}: request to {request.url}"))
            return page

        desktop = open_page(1400, 900)
        for name in TABS:
            desktop.goto(f"file://{site}/index.html")
            desktop.click(f".md-tabs__link:has-text('{name}')")
            desktop.wait_for_load_state()
            active = desktop.locator(".md-tabs__item--active").inner_text()
            if active.strip() != name:
                faults.append(f"the tab {name} leads to {desktop.url}, where {active} is active")
            desktop.locator(".md-sidebar--primary .md-nav__link:visible").last.click()
            desktop.wait_for_load_state()
        for text, wanted in SEARCHES.items():
            desktop.goto(f"file://{site}/index.html")
            desktop.click(".md-search__input")
            desktop.locator(".md-search__input").press_sequentially(text)
            try:
                desktop.wait_for_selector(".md-search-result__item", timeout=20000)
            except Exception:
                faults.append(f"the search for {text} finds nothing")
                continue
            found = [link.get_attribute("href") for link in desktop.locator(".md-search-result__item > .md-search-result__link").all()[:5]]
            if not any(wanted in link for link in found):
                faults.append(f"the search for {text} does not find {wanted}, but {found}")
        desktop.screenshot(path=os.path.join(pictures, "search-1400.png"))

        for width, height in ((1400, 900), (390, 844)):
            page = open_page(width, height)
            for name in PAGES:
                page.goto(f"file://{site}/{name}")
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    faults.append(f"{name} is {wide} pixels wide in a window of {width}")
                page.screenshot(path=os.path.join(pictures, f"{name.replace('/', '-').removesuffix('.html')}-{width}.png"))
        page.goto(f"file://{site}/guide/get-started.html")
        page.click("label.md-header__button[for='__drawer']")
        page.wait_for_selector(".md-sidebar--primary .md-nav__link:visible")
        page.wait_for_timeout(400)  # the menu slides in
        page.screenshot(path=os.path.join(pictures, "menu-390.png"))
        desktop.goto(f"file://{site}/guide/get-started.html")
        desktop.click("form[data-md-component='palette'] label:visible")
        if desktop.locator("body").get_attribute("data-md-color-scheme") != "slate":
            faults.append("the button for dark mode does not switch to it")
        desktop.screenshot(path=os.path.join(pictures, "dark-1400.png"))
        browser.close()
    for fault in dict.fromkeys(faults):
        print(fault)
    print(f"{len(TABS)} tabs, {len(SEARCHES)} searches, {len(PAGES)} pages at two widths: {len(faults)} faults; pictures in {pictures}")
    sys.exit(bool(faults))


main()
