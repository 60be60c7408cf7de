import type { HttpClient } from '@app/egress';
import { SearchChain, SearxngBackend, TemplateBackend, type SearchBackend } from '@app/providers';
import type { Runtime } from '@app/runtime';
import { BackendHealth, type ResultThreads } from '@app/scrape';
import { parseHtmlSetting, parseSerpSetting } from '@app/search';

interface SearchParts {
  readonly threads: Pick<ResultThreads, 'read'>;
  /** A client for one address of the operator: it reaches that host and nothing else, private or not. */
  readonly clientFor: (endpoint: string) => HttpClient;
}

/** The configured search backends, in the order of the specification. */
export function openSearch(
  { database, settings, log, metrics }: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>,
  parts: SearchParts,
): SearchChain {
  const backends = openBackends(settings, parts);
  log.info({ backends: backends.map(({ source }) => source) }, 'search backends');
  return new SearchChain({
    backends,
    breaker: new BackendHealth({
      database,
      onProblem: (err) => log.warn({ err }, 'the health of search backends is unavailable'),
    }),
    onAttempt: (backend, outcome, seconds) => {
      metrics.searchRequests.inc({ backend, outcome });
      if (outcome !== 'skipped') metrics.searchSeconds.observe({ backend }, seconds);
    },
  });
}

function openBackends(
  { searchSerp, searchSearxngUrl, searchHtml }: Runtime['settings'],
  { threads, clientFor }: SearchParts,
): readonly SearchBackend[] {
  const read: SearchPartsRead = (page, terms) => threads.read(page, terms);
  const backends: SearchBackend[] = [];
  if (searchSerp !== undefined) {
    const { shape, ...template } = parseSerpSetting(searchSerp);
    const http = clientFor(originOf(template.url));
    const json = { kind: 'json', shape } as const;
    backends.push(
      new TemplateBackend({ source: 'serp_provider', template, shape: json, http, read }),
    );
  }
  if (searchSearxngUrl !== undefined) {
    const http = clientFor(searchSearxngUrl);
    backends.push(new SearxngBackend({ url: searchSearxngUrl, http, read }));
  }
  if (searchHtml !== undefined) {
    const { shape, ...template } = parseHtmlSetting(searchHtml);
    const http = clientFor(originOf(template.url));
    const html = { kind: 'html', shape } as const;
    backends.push(
      new TemplateBackend({ source: 'html_provider_2', template, shape: html, http, read }),
    );
  }
  return backends;
}

type SearchPartsRead = ResultThreads['read'];

/** The host of a template: placeholders are in path and query only. */
function originOf(template: string): string {
  return new URL(template.replace(/[{}]/g, '')).origin;
}
