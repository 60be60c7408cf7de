import type { Connector, ConnectorInput, ConnectorMatch, ConnectorParams } from './connector.js';
import { connectorProblem } from './connector-problem.js';
import { assertSchema, checkOf, type ValueCheck } from './params-check.js';
import { recordPrice, type RecordPrice } from './record-price.js';

/** A connector of the catalog, with checks by its schemas. */
export interface RegisteredConnector {
  readonly connector: Connector;
  readonly price: RecordPrice;
  readonly paramsProblem: ValueCheck;
  readonly rowProblem: ValueCheck;
  /** Columns of its CSV. */
  readonly columns: readonly string[];
  /** A module of the operator, not a part of this program. */
  readonly isOwn: boolean;
}

export interface MatchedConnector extends ConnectorMatch {
  readonly connector: Connector;
}

/** The catalog: connectors by their stable id. */
export class ConnectorRegistry {
  private readonly byId = new Map<string, RegisteredConnector>();

  get all(): readonly RegisteredConnector[] {
    return [...this.byId.values()];
  }

  get(id: string): RegisteredConnector | null {
    return this.byId.get(id) ?? null;
  }

  /** @throws Error that says what is wrong with it */
  add(value: unknown, { isOwn = false }: { readonly isOwn?: boolean } = {}): void {
    const problem = connectorProblem(value);
    if (problem !== null) throw new Error(problem);
    const connector = value as Connector;
    if (this.byId.has(connector.id))
      throw new Error(`another connector has the id ${connector.id}`);
    // Those of this program are checked by its tests.
    if (isOwn) [connector.params, connector.schema].forEach(assertSchema);
    this.byId.set(connector.id, {
      connector,
      isOwn,
      price: recordPrice(connector.pricePerRecordUsd),
      paramsProblem: paramsCheck(connector),
      rowProblem: checkOf(connector.schema),
      columns: Object.keys(connector.schema.properties),
    });
  }

  /** The connector that suits a request best: modules of the operator win a tie. Null: none does. */
  match(input: ConnectorInput): MatchedConnector | null {
    let best: MatchedConnector | null = null;
    for (const { connector, isOwn, paramsProblem } of this.byId.values()) {
      const match = connector.match(input);
      if (match === null || paramsProblem(match.params) !== null) continue;
      const isBetter = best === null || match.score > best.score;
      if (isBetter || (isOwn && match.score === best?.score)) best = { connector, ...match };
    }
    return best;
  }
}

function paramsCheck(connector: Connector): ValueCheck {
  const check = checkOf(connector.params);
  return (value) => check(value) ?? connector.paramsProblem?.(value as ConnectorParams) ?? null;
}
