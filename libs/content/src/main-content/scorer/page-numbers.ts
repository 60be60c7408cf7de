import { type Element } from 'domhandler';
import { typesOf } from '../../json-ld/json-ld-item.js';
import { type JsonLd } from '../../json-ld/read-json-ld.js';
import { type MainContentKind } from '../page-kind.js';

const KINDS: readonly MainContentKind[] = ['unknown', 'article', 'forum'];

/** Types of JSON-LD items, each a number of the page. */
const TYPES = [
  /^(?:Product|ProductGroup|Offer|AggregateOffer)$/,
  /Article$|Posting$/,
  /^(?:ItemList|CollectionPage|SearchResultsPage|OfferCatalog|DataFeed)$/,
  /^(?:QAPage|DiscussionForumPosting|Question)$/,
  /^(?:FAQPage)$/,
  /^(?:Service|SoftwareApplication|ProfessionalService|WebApplication|HowTo|Course)$/,
  /^(?:LocalBusiness|Organization|Corporation)$/,
  /^(?:WebPage|WebSite|AboutPage|ContactPage)$/,
  /^(?:BreadcrumbList)$/,
];
const OG_TYPES = [/article|blog/i, /product|item/i, /website/i];

/** What a page says of itself, as numbers. */
export function pageNumbers(
  page: { readonly kind: MainContentKind; readonly tree: { readonly metas: readonly Element[] } },
  jsonLd: JsonLd,
): readonly number[] {
  const types = new Set(jsonLd.items.flatMap(typesOf));
  const ogType = page.tree.metas.find(({ attribs }) => attribs.property === 'og:type')?.attribs;
  return [
    KINDS.indexOf(page.kind),
    ...TYPES.map((type) => ([...types].some((name) => type.test(name)) ? 1 : 0)),
    ...OG_TYPES.map((type) => (type.test(ogType?.content ?? '') ? 1 : 0)),
    jsonLd.items.length > 0 ? 1 : 0,
  ];
}
