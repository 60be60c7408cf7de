import { declare, joinUses, readUses, type DeclaredUse, type Uses } from '@app/uses';
import { AddressedLines } from '../robots/addressed-lines.js';
import {
  comparedPath,
  longestMatches,
  MAX_PATH_RULES,
  pathRule,
  type PathRule,
} from './path-rules.js';

/** Content-Signal (contentsignals.org) and Content-Usage (draft-ietf-aipref-attach). */
export type UseDirective = 'signal' | 'usage';

type UseRule = PathRule<Uses> & { readonly directive: UseDirective };

/** A path before the uses: it begins with a slash. */
const WITH_PATH = /^(\/\S*)\s+(\S.*)$/s;

/**
 * The uses that a robots.txt declares. Lines before the first agent name none, so they speak to all: many sites write
 * them so.
 */
export class RobotsUses {
  private readonly lines = new AddressedLines<UseRule>();
  private readonly toAll: UseRule[] = [];
  private hasAgents = false;
  private count = 0;

  startGroup(): void {
    this.lines.startGroup();
  }

  addAgent(token: string): void {
    this.hasAgents = true;
    this.lines.addAgent(token);
  }

  /** @returns whether the line was kept */
  add(directive: UseDirective, value: string): boolean {
    if (this.count === MAX_PATH_RULES) return false;
    this.count++;
    const [, path = '', uses = value] = WITH_PATH.exec(value) ?? [];
    const rule = { directive, ...pathRule(path, readUses(uses)) };
    if (this.hasAgents) this.lines.say(rule);
    else this.toAll.push(rule);
    return true;
  }

  /** The rules for an agent, to be kept and asked for each of its pages. */
  for(token: string): readonly UseRule[] {
    return [...this.toAll, ...this.lines.to(token)];
  }
}

/** What the longest matching rules of each directive say of a page; undefined: nothing. */
export function declaredAt(rules: readonly UseRule[], url: URL): DeclaredUse | undefined {
  if (rules.length === 0) return undefined;
  const path = comparedPath(url);
  const said = (['signal', 'usage'] as const).flatMap((directive) =>
    longestMatches(
      rules.filter((rule) => rule.directive === directive),
      path,
    ),
  );
  return declare('robots.txt', {
    ...joinUses(said),
    use: said.find(({ use }) => use !== undefined)?.use,
  });
}
