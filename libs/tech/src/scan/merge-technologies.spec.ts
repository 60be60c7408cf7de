import { mergeTechnologies } from './conclude.js';

describe('mergeTechnologies', () => {
  it('keeps of each the highest confidence and the first version, sorted', () => {
    const page = (name: string, category: string, confidence: number, version?: string) => ({
      name,
      category,
      confidence,
      ...(version && { version }),
    });
    expect(
      mergeTechnologies([
        [page('jQuery', 'JavaScript library', 0.5), page('WordPress', 'CMS', 1)],
        [page('jQuery', 'JavaScript library', 1, '3.7.1'), page('PHP', 'Language', 0.9)],
        [page('jQuery', 'JavaScript library', 0.7, '1.12'), page('Ghost', 'CMS', 1, '5')],
      ]),
    ).toEqual([
      page('Ghost', 'CMS', 1, '5'),
      page('WordPress', 'CMS', 1),
      page('jQuery', 'JavaScript library', 1, '3.7.1'),
      page('PHP', 'Language', 0.9),
    ]);
  });

  it('returns no technology for empty lists', () => {
    expect(mergeTechnologies([])).toEqual([]);
  });
});
