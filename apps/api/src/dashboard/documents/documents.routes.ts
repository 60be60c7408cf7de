import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import { preferredType } from '../../http/accept-type.js';
import { fixedAnswer, once, type FixedText } from '../../http/fixed-answer.js';
import { IMAGES_FOLDER, readDocuments } from '../../public/document-set.js';
import { operationTitle } from '../../public/documented-operations.js';
import { OperationTexts } from '../../public/operation-texts.js';
import type { Page } from '../html/page.js';
import type { DashboardServices } from '../services.js';
import { themeOf } from '../http/theme.js';
import {
  contentsPage,
  documentPage,
  documentSearchPage,
  listedIn,
  type ListedGroup,
} from './document.page.js';
import { headingId, renderDocument } from './render-document.js';
import { DocumentSearch, type SearchedDocument } from './search-documents.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
/** Programs that read Markdown ask for it. */
const FORMS = ['text/html', 'text/markdown'] as const;
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Who searches uses Trawl more often than they build it. */
const INTERNAL_WEIGHT = 0.4;

/** Everything that is shown under /docs. */
interface Library {
  readonly groups: readonly ListedGroup[];
  /** By address. */
  readonly texts: ReadonlyMap<string, SearchedDocument>;
  readonly search: () => Promise<DocumentSearch>;
}

/**
 * The documents of docs/ and the reference, made of the API's description, at /docs: as pages, and as Markdown at the same
 * address with `.md` or with `Accept: text/markdown`. Public. Each is rendered and compressed for its first reader.
 */
export function documentRoutes(
  scope: FastifyInstance,
  { pages, runtime, description }: Pick<DashboardServices, 'pages' | 'runtime' | 'description'>,
): void {
  const address = runtime.publicUrl.replace(/(?<!\/)\/+$/, '');
  const library = once(() =>
    libraryOf(new OperationTexts(description(), { address, nameText: linked })),
  );
  const answers = new Map<string, ReturnType<typeof fixedAnswer>>();
  const known = (key: string, make: () => FixedText): ReturnType<typeof fixedAnswer> => {
    const answer = answers.get(key) ?? fixedAnswer(make);
    answers.set(key, answer);
    return answer;
  };
  const showPage = (request: FastifyRequest, reply: FastifyReply, at: string, page: () => Page) => {
    void reply.header('vary', 'Accept, Cookie');
    const make = (): FixedText => ({
      type: HTML,
      text: pages.textOf(request, page()),
      cacheControl: 'private, no-cache',
    });
    return known(`${themeOf(request)} ${at}`, make)(request, reply);
  };
  const showMarkdown = (request: FastifyRequest, reply: FastifyReply, at: string, text: string) => {
    void reply.header('vary', 'Accept');
    return known(`md ${at}`, () => ({ type: MARKDOWN, text }))(request, reply);
  };

  scope.get<{ Querystring: { q?: unknown } }>('/docs', async (request, reply) => {
    const { q } = request.query;
    const { groups, search } = library();
    if (typeof q !== 'string')
      return showPage(request, reply, '/docs', () => contentsPage(groups, address));
    const query = q.trim();
    const found = query === '' ? [] : (await search()).find(query);
    return pages.send(reply, documentSearchPage(groups, query, found));
  });
  for (const name of readdirSync(IMAGES_FOLDER)) {
    const content = once(() => readFileSync(path.join(IMAGES_FOLDER, name)));
    const type = IMAGE_TYPES[path.extname(name)];
    scope.get(`/docs/images/${name}`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type(String(type)).send(content()),
    );
  }
  scope.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    const [, name = '', isMarkdown] = /^(.*?)(\.md)?$/.exec(request.params['*']) ?? [];
    const at = `/docs/${name}`;
    const { groups, texts } = library();
    const text = texts.get(at);
    if (text === undefined) throw new ApiError('not_found');
    if (isMarkdown || preferredType(request.headers.accept, FORMS) === 'text/markdown')
      return showMarkdown(request, reply, at, text.markdown);
    return showPage(request, reply, at, () =>
      documentPage(groups, text, renderDocument(text.markdown)),
    );
  });
}

const linked = (name: string): string => `[${name}](#${headingId(name)})`;

/** Where the description of the operations of a path begins. */
const REFERENCE = '/docs/api';

function libraryOf(operations: OperationTexts): Library {
  const documents = readDocuments();
  const reference = operations.groups().map((group) => ({
    title: group.name,
    about: group.operations.map(operationTitle).join(', '),
    path: `${REFERENCE}/${group.name}`,
    markdown: operations.group(group),
  }));
  const texts: SearchedDocument[] = [
    ...documents.flatMap((group) =>
      group.documents.map((one) => ({
        ...one,
        path: `/docs/${one.name}`,
        weight: group.isInternal ? INTERNAL_WEIGHT : 1,
      })),
    ),
    ...reference,
  ];
  return {
    groups: [...documents.map(listedIn), { title: 'API reference', pages: reference }],
    texts: new Map(texts.map((one) => [one.path, one])),
    search: once(() => DocumentSearch.over(texts)),
  };
}
