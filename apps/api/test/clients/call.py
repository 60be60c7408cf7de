"""Imports every module of the generated client and calls the service with it.

Arguments: folder of the client, address of the service, key. Prints what was answered, as JSON.
"""

import importlib
import json
import pkgutil
import sys

folder, address, key = sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, folder)

import trawl_client  # noqa: E402
from trawl_client import AuthenticatedClient, models  # noqa: E402

modules = [one.name for one in pkgutil.walk_packages(trawl_client.__path__, "trawl_client.")]
for name in modules:
    importlib.import_module(name)
operations = [name for name in modules if name.startswith("trawl_client.api.") and name.count(".") == 3]

client = AuthenticatedClient(address, key, prefix="", auth_header_name="x-api-key")
from trawl_client.api.extract import extract  # noqa: E402
from trawl_client.api.scrape import scrape  # noqa: E402

page = scrape.sync(client=client, body=models.ScrapeRequest(url="http://a.example/"))
refused = extract.sync_detailed(client=client, body=models.ExtractRequest())
print(
    json.dumps(
        {
            "operations": len(operations),
            "markdown": page.markdown,
            "listing": page.listing.name,
            "refused": [refused.status_code, refused.parsed.error],
        }
    )
)
