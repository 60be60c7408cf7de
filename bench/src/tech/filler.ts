import type { SeededRandom } from '@app/testing';

const WORDS =
  'harbour lantern meadow copper ticket willow engine paper summer orchard signal bridge market letter'.split(
    ' ',
  );

/** Ordinary article markup of about so many characters. */
export function fillerHtml(chars: number, random: SeededRandom): string {
  const parts: string[] = [];
  for (let length = 0; length < chars; length += parts.at(-1)?.length ?? 0)
    parts.push(section(random));
  return parts.join('');
}

function section(random: SeededRandom): string {
  const sentence = (words: number): string =>
    Array.from({ length: words }, () => random.pick(WORDS)).join(' ');
  const href = `/articles/${random.int(1, 9_999)}-${random.pick(WORDS)}`;
  return (
    `<article class="card card--${random.int(1, 60)}" id="a${random.int(1, 99_999)}"><h3>${sentence(4)}</h3>` +
    `<p>${sentence(45)}.</p><p>${sentence(30)}.</p><a class="more" href="${href}">${sentence(3)}</a>` +
    `<img src="/media/${random.int(1, 500)}.webp" alt="${sentence(2)}" loading="lazy" width="640"></article>\n`
  );
}
