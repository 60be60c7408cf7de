import { ResolveError } from '../src/egress-errors.js';
import type { Resolver } from '../src/resolver.js';

/** Answers of a name: one list, or successive lists of which the last repeats (a rebinding name). */
export type Answers = readonly string[] | readonly (readonly string[])[];

/** A resolver that answers from a table and remembers what it was asked. */
export class ScriptedResolver implements Resolver {
  readonly asked: string[] = [];

  constructor(private readonly table: Readonly<Record<string, Answers>>) {}

  async resolve(host: string): Promise<readonly string[]> {
    const turn = this.asked.filter((asked) => asked === host).length;
    this.asked.push(host);
    const answers = answersAt(this.table[host] ?? [], turn);
    if (answers.length === 0) throw new ResolveError('ENOTFOUND');
    return answers;
  }
}

function answersAt(answers: Answers, turn: number): readonly string[] {
  const entry = answers.at(Math.min(turn, answers.length - 1));
  return Array.isArray(entry) ? entry : (answers as readonly string[]);
}
