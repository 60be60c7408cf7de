import { textOfPage, type PageReading } from '@app/search';
import type { Business } from '../businesses/business.js';
import type { SourceAnswerPage } from './business-page.js';
import { readApiBusinesses } from './read-api-businesses.js';
import { readHtmlBusinesses } from './read-html-businesses.js';
import { readNominatim, readOverpass } from './read-osm-businesses.js';

/** Reads one page of a source: outside text, as much as the source sends. Never on an event loop. Never throws. */
export function readBusinesses(page: SourceAnswerPage): PageReading<Business> {
  const { body, contentType, url, shape } = page;
  switch (shape.kind) {
    case 'business_api':
      return readApiBusinesses(Buffer.from(body).toString('utf8'), shape);
    case 'business_html':
      return readHtmlBusinesses(textOfPage(body, contentType), url, shape);
    case 'overpass':
      return readOverpass(Buffer.from(body).toString('utf8'));
    case 'nominatim':
      return readNominatim(Buffer.from(body).toString('utf8'));
  }
}
