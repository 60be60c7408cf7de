import { namedStatement } from './statement.js';

describe('a statement with named parameters', () => {
  const statement = namedStatement<{ readonly id: string; readonly pages: number }>(
    'spec',
    'UPDATE jobs SET pages = pages + $pages::int WHERE id = $id AND $pages > 0',
  );

  it('numbers them in the order of the text, each once', () => {
    expect(statement.text).toBe('UPDATE jobs SET pages = pages + $1::int WHERE id = $2 AND $1 > 0');
    expect(statement.inOrder({ id: 'a', pages: 2 })).toEqual([2, 'a']);
  });

  it('refuses to run without one of them', () => {
    const values = { id: 'a' } as unknown as { id: string; pages: number };
    expect(() => statement.inOrder(values)).toThrow('The statement spec has no value $pages');
  });
});
