import { pageParts } from './page-parts.js';

const section = (at: number) => `# Section ${at}\n\n${`Sentence of section ${at}. `.repeat(40)}`;

describe('the parts of a page', () => {
  it('are the page itself when it fits', () => {
    expect(pageParts('a **b**\n', 100)).toEqual({ parts: ['a **b**\n'], isCut: false });
    const text = section(1);
    expect(pageParts(text, 400)).toEqual({ parts: [text], isCut: false });
  });

  it('are none without text', () => {
    expect(pageParts(' \n', 100)).toEqual({ parts: [], isCut: false });
  });

  it('have no data of pictures', () => {
    const picture = `![chart](data:image/png;base64,${'A'.repeat(700_000)})`;
    const { parts, isCut } = pageParts(`${picture} below`, 100);
    expect([isCut, parts.join('')]).toEqual([false, '![chart](<Base64-Image-Removed>) below']);
  });

  it('are few, whole sections where they fit, and hold all text', () => {
    const sections = [1, 2, 3, 4, 5, 6].map(section);
    const { parts } = pageParts(sections.join('\n\n'), 600);
    expect(parts.length).toBe(3);
    for (const part of parts) expect(part.match(/^# Section/gm)).toHaveLength(2);
    expect(parts.join(' ').match(/Sentence of/g)).toHaveLength(240);
  });

  it('stop where a model is shown no more', () => {
    const { parts, isCut } = pageParts('word '.repeat(200_000), 8_000);
    expect(isCut).toBe(true);
    expect(parts.join('').length).toBeLessThanOrEqual(601_000);
  });
});
