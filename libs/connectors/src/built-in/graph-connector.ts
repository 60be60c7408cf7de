import type {
  Connector,
  ConnectorInput,
  ConnectorMatch,
  ConnectorParams,
  ConnectorRow,
} from '../port/connector.js';
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
  /** Rows that match, in a stable order; at most `limit`, after the first `offset`. */
  query(
    criteria: GraphCriteria,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ConnectorRow[]>;
  /** How many rows match. */
  count(criteria: GraphCriteria): Promise<number>;
}

const PAGE = 200;
const SAMPLE = 5;
const TERMS = (description: string) => textsParam(description, 25, 200);

/** Companies of the graph by technology, industry and place. The graph is part of the service that registers it. */
export function graphConnector(graph: CompanyGraphQueries): Connector {
  return {
    id: 'companies',
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
      const criteria = criteriaOf(params);
      const [rows, estimatedRows] = await Promise.all([
        graph.query(criteria, { limit: SAMPLE, offset: 0 }),
        graph.count(criteria),
      ]);
      return { rows, estimatedRows };
    },
    async *run(params, { signal }) {
      for (let offset = 0; ; offset += PAGE) {
        signal.throwIfAborted();
        const rows = await graph.query(criteriaOf(params), { limit: PAGE, offset });
        yield* rows;
        if (rows.length < PAGE) return;
      }
    },
  };
}

function criteriaOf(params: ConnectorParams): GraphCriteria {
  return params;
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
