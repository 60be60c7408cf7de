"""Scrapy as its users run it for this job: links followed, Markdown, a file per page.

Usage: crawl.py <site> <output folder> <pages at once> <markdownify|native>
The words said to the harness are those of src/contenders/batch-signals.ts.
"""

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

READY, DONE = "bench-ready", "bench-done []"


def converter(kind):
    """HTML text to Markdown."""
    if kind == "native":
        from html_to_markdown import convert

        return lambda html: text_of(convert(html))
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    # lxml: the faster of the parsers it can use.
    markdown = MarkdownConverter(heading_style="ATX")
    return lambda html: markdown.convert_soup(BeautifulSoup(html, "lxml"))


def text_of(result):
    """Newer releases give an object with the text in it."""
    return result if isinstance(result, str) else result.content


def file_name_for(path):
    """One file name per path."""
    return "index.md" if path in ("", "/") else re.sub("[^A-Za-z0-9]+", "_", path) + ".md"


def spider_for(site, folder, to_markdown):
    """A spider of the whole site but for what robots.txt forbids, given by a pattern as for Crawlee."""

    class SiteSpider(scrapy.Spider):
        name = "site"
        start_urls = [site]
        links = LinkExtractor(allow="^" + re.escape(site), deny="/private/")

        def parse(self, response):
            path = urlsplit(response.url).path
            (folder / file_name_for(path)).write_text(to_markdown(response.text), "utf-8")
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url)

    return SiteSpider


def main(site, folder, at_once, kind):
    spider = spider_for(site, Path(folder), converter(kind))
    process = CrawlerProcess(
        {
            "LOG_LEVEL": "ERROR",
            "CONCURRENT_REQUESTS": int(at_once),
            "CONCURRENT_REQUESTS_PER_DOMAIN": int(at_once),
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "COOKIES_ENABLED": False,
            "RETRY_TIMES": 1,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    print(READY, flush=True)
    sys.stdin.readline()
    process.crawl(spider)
    process.start()
    print(DONE, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:5])
