import type { Connector, ConnectorInput, ConnectorMatch, ConnectorRow } from '../port/connector.js';
import { keyOfFields } from '../port/identity-key.js';
import { usdPerRecord } from '../port/record-price.js';
import {
  BOOLEAN,
  paramsSchema,
  rowSchema,
  STRING,
  textParam,
  STRINGS,
  textsParam,
} from './row-schemas.js';

/** Criteria of POST /v1/graph/query. */
export interface GraphCriteria {
  readonly tech?: readonly string[];
  readonly techAny?: readonly string[];
  readonly notTech?: readonly string[];
  readonly industry?: string;
  readonly state?: string;
  readonly city?: string;
  readonly hasDomain?: boolean;
}

/** The company graph, as the connector needs it. */
export interface CompanyGraphQueries {
  /** @param after `next` of the page before; null: the first page */
  page(
    criteria: GraphCriteria,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<GraphPage>;
  /** The first rows, and how many match. */
  sample(
    criteria: GraphCriteria,
    limit: number,
  ): Promise<{ readonly rows: readonly ConnectorRow[]; readonly count: number }>;
}

/** A page of the rows that match, in a stable order. */
export interface GraphPage {
  readonly rows: readonly ConnectorRow[];
  /** Null: there is none. */
  readonly next: string | null;
}

const PAGE = 200;
const SAMPLE = 5;
const TERMS = (description: string) => textsParam(description, 25, 200);

/** Id of {@link graphConnector}. */
export const GRAPH_CONNECTOR_ID = 'companies';

/** Companies of the graph by technology, industry and place. The graph is part of the service that registers it. */
export function graphConnector(graph: CompanyGraphQueries): Connector {
  return {
    id: GRAPH_CONNECTOR_ID,
    title: 'Companies by technology, industry and place',
    description: 'Companies that this service knows, by what they use and where they are.',
    params: {
      ...paramsSchema(
        {
          tech: TERMS('All of these technologies.'),
          techAny: TERMS('Any of these technologies.'),
          notTech: TERMS('None of these technologies.'),
          industry: textParam('Industry title.'),
          state: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'Two-letter code.' },
          city: textParam('Town.'),
          hasDomain: { ...BOOLEAN, description: 'With a website, or without.' },
        },
        [],
      ),
      anyOf: ['tech', 'techAny', 'industry', 'state', 'city'].map((name) => ({ required: [name] })),
    },
    schema: rowSchema(
      {
        ...{ domain: STRING, name: STRING, industry: STRING, naics: STRING, tech_stack: STRINGS },
        ...{ city: STRING, state: STRING, employee_band: STRING, _freshness: STRING },
      },
      [],
    ),
    pricePerRecordUsd: usdPerRecord(1),
    keyOf: keyOfFields('domain', 'name', 'city', 'state'),
    match: matchCompanies,
    async preview(params, _context) {
      const { rows, count } = await graph.sample(params, SAMPLE);
      return { rows, estimatedRows: count };
    },
    async *run(params, { signal }) {
      let after: string | null = null;
      do {
        signal.throwIfAborted();
        const { rows, next }: GraphPage = await graph.page(params, { limit: PAGE, after });
        yield* rows;
        after = next;
      } while (after !== null);
    },
  };
}

function matchCompanies({ technologies, place, kind }: ConnectorInput): ConnectorMatch | null {
  if (technologies.length === 0) return null;
  const [city, state] = place?.split(/,\s*/) ?? [];
  return {
    score: 0.97,
    params: {
      tech: technologies,
      ...(city === undefined ? {} : { city }),
      ...(state !== undefined && /^[A-Za-z]{2}$/.test(state) ? { state } : {}),
      ...(kind === null ? {} : { industry: kind }),
    },
  };
}
