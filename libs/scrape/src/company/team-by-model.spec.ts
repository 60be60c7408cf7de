import { Deadline, NO_USAGE, type LlmOutput } from '@app/contracts';
import type { TeamMember } from '@app/company';
import type { ModelReader } from '../models/model-reader.js';
import { joinTeams, teamByModel, type ReadPage } from './team-by-model.js';

const TEXT = `## Leadership
**Ann Bee**, Chief Executive Officer. *Carl O'Dee* looks after sales.
Joanna Beetle is our neighbour's dog.`;

const page = (path: string, markdown = TEXT): ReadPage => ({
  url: `http://a.example${path}`,
  markdown,
});

describe('a team read by a model', () => {
  const shown: { markdown: string; url: string }[] = [];

  const read = (pages: readonly ReadPage[], output: Partial<LlmOutput>) => {
    shown.length = 0;
    const models = {
      read: async (_request: unknown, source: { markdown: string; url: string }) => {
        shown.push(source);
        return { usage: NO_USAGE, ...output };
      },
    } as unknown as ModelReader;
    const deadline = Deadline.after(5_000);
    const { signal } = new AbortController();
    return teamByModel(pages, { models, deadline, signal, budgetMicroUsd: 100, tenantId: 't' });
  };
  const named = (...team: unknown[]): Partial<LlmOutput> => ({ json: { team } });

  it('has only names and roles that are in the text word for word', async () => {
    const said = named(
      { name: 'Ann Bee', role: 'Chief Executive Officer' },
      { name: "Carl O'Dee", role: 'Head of Sales' },
      { name: 'Made Up', role: 'CEO' },
      { name: 'Joanna Bee' },
      { name: 'Ann' },
      { name: 'ann  bee', role: 'twice' },
      { name: 7 },
      null,
    );
    expect(await read([page('/team')], said)).toEqual({
      team: [{ name: 'Ann Bee', role: 'Chief Executive Officer' }, { name: "Carl O'Dee" }],
      usage: NO_USAGE,
      isAnswered: true,
    });
  });

  it.each<[string, readonly string[], string]>([
    ['those of people', ['/', '/contact', '/our-team', '/about'], '/our-team'],
    ['the homepage where there are none', ['/', '/contact'], '/'],
  ])('shows the model pages: %s', async (_what, paths, first) => {
    await read(
      paths.map((path) => page(path, `text of ${path}`)),
      named(),
    );
    expect(shown[0]?.url).toBe(`http://a.example${first}`);
    expect(shown[0]?.markdown).not.toContain('contact');
  });

  it('shows a bounded part of the site', async () => {
    const long = 'x'.repeat(1_000_000);
    await read(
      Array.from({ length: 20 }, (_, n) => page(`/team/${n}`, long)),
      named(),
    );
    expect(shown[0]?.markdown.length).toBeLessThan(200_000);
  });

  it('sends no request for pages without text', async () => {
    expect(await read([page('/team', ' ')], named())).toBeNull();
    expect(shown).toEqual([]);
  });

  it.each<[string, Partial<LlmOutput>]>([
    ['failed', { problem: 'llm_failed' }],
    ['was out of budget', { problem: 'llm_budget' }],
    ['gave nothing', {}],
  ])('is no answer when the model %s', async (_what, output) => {
    expect(await read([page('/team')], output)).toMatchObject({ team: [], isAnswered: false });
  });

  it.each([null, 'text', { team: 'text' }, { team: [[]] }])(
    'is empty for an odd answer: %j',
    async (json) => {
      expect((await read([page('/team')], { json }))?.team).toEqual([]);
    },
  );
});

describe('two teams', () => {
  it('are those with markup first, completed, and then the others', () => {
    const marked: TeamMember[] = [
      { name: 'Ann Bee', email: 'ann@a.example' },
      { name: 'Dan', role: 'Boss' },
    ];
    const read: TeamMember[] = [
      { name: 'ann bee', role: 'CEO' },
      { name: 'Eve Foe', role: 'CTO' },
      { name: 'dan', role: 'Clerk' },
    ];
    expect(joinTeams(marked, read)).toEqual([
      { name: 'Ann Bee', email: 'ann@a.example', role: 'CEO' },
      { name: 'Dan', role: 'Boss' },
      { name: 'Eve Foe', role: 'CTO' },
    ]);
  });
});
