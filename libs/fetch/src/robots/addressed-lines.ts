/**
 * Lines of a robots.txt that are no rules, such as Crawl-delay. Unlike a rule such a line speaks to the agents before
 * it only: `a`, delay, `*`, rule is a slow `a`, and a rule for both.
 */
export class AddressedLines<Value> {
  private current: Addressed<Value> = newAddressed();
  /** Those that say something. */
  private readonly all: Addressed<Value>[] = [];

  /** A rule ended the list of agents. */
  startGroup(): void {
    this.current = newAddressed();
  }

  /** @param token empty: a line that names no agent */
  addAgent(token: string): void {
    if (this.current.values.length > 0) this.startGroup();
    if (token !== '') this.current.agents.add(token);
  }

  say(value: Value): void {
    // Once for all its agents: thousands of lines may follow thousands of agents.
    if (this.current.values.length === 0) this.all.push(this.current);
    this.current.values.push(value);
  }

  /** All that is said to an agent. */
  to(token: string): readonly Value[] {
    return this.all.filter(({ agents }) => agents.has(token)).flatMap(({ values }) => values);
  }
}

interface Addressed<Value> {
  readonly agents: Set<string>;
  readonly values: Value[];
}

function newAddressed<Value>(): Addressed<Value> {
  return { agents: new Set(), values: [] };
}
