import { pathShape } from './path-shape.js';

describe('pathShape', () => {
  it.each([
    ['/', '/'],
    ['/app', '/app'],
    ['/About/Team.HTML', '/About/Team.html'],
    ['/p/17', '/p/0'],
    ['/page-2.html', '/page-0.html'],
    ['/blog/2024/05/how-to-bake-bread', '/blog/0/0/*'],
    ['/a/550e8400-e29b-41d4-a716-446655440000', '/a/*'],
    ['/a/9f86d081884c7d65', '/a/*'],
    ['/a/%C3%A9t%C3%A9', '/a/*'],
    ['/a/averyveryverylongnamewithoutwords.php', '/a/*.php'],
    ['/a/b/c/d/e', '/a/b/c/d/**'],
    ['/a/b/c/d/e/f/g', '/a/b/c/d/**'],
    ['//', '//'],
  ])('of %s is %s', (path, shape) => {
    expect(pathShape(path)).toBe(shape);
  });

  it('keeps words apart, which may be other templates', () => {
    expect(new Set(['/app', '/docs', '/docs/', '/docs/app', '/app.html'].map(pathShape)).size).toBe(
      5,
    );
  });

  it('is short for any path', () => {
    const parts = ['a', '1', '-', '.', '%', '/', 'a.b', 'z'.repeat(24)];
    for (const part of parts) expect(pathShape(`/${part.repeat(50_000)}`).length).toBeLessThan(150);
    expect(
      pathShape(
        `/${Array(6)
          .fill('z'.repeat(24) + '.abcde')
          .join('/')}`,
      ).length,
    ).toBeLessThan(150);
  });
});
