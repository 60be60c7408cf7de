import { projectRoot } from '@app/testing';
import { readBrand, type PageBrand } from '../read-brand.js';
import { LABELS } from './labels.js';
import { openPage } from './open-page.js';
import { STYLED_PAGES } from './styled-pages.js';

const LEAST_AGREEMENT = 0.95;
/** Two shades of one color, as of a bar and the button below it, are nearer than this (CIE 1976). */
const MAX_DISTANCE = 15;

/** Pages whose main color is another than a person names, and why. */
const EXPLAINED: Readonly<Record<string, string>> = {};

describe('brands of pages with real CSS', () => {
  const brands = new Map<string, PageBrand>();

  beforeAll(async () => {
    for (const styled of STYLED_PAGES) {
      const { page, sheets } = await openPage(styled, projectRoot());
      brands.set(styled.name, readBrand(page, { sheets }));
    }
  });

  it('are at least 30, each with a label', () => {
    expect(STYLED_PAGES.length).toBeGreaterThanOrEqual(30);
    expect(STYLED_PAGES.map(({ name }) => name).toSorted()).toEqual(Object.keys(LABELS).toSorted());
  });

  it('have the main color that people see, in 95 of 100 at least, each miss explained', () => {
    const misses = Object.entries(LABELS).filter(([name, { color }]) => {
      const found = brands.get(name)?.colors[0]?.hex;
      return found === undefined || distance(found, color) > MAX_DISTANCE;
    });
    expect(misses.map(([name]) => name)).toEqual(Object.keys(EXPLAINED));
    expect(1 - misses.length / Object.keys(LABELS).length).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
  });

  it('have the main font that the text is set in', () => {
    const found = Object.keys(LABELS).map((name) => [name, brands.get(name)?.fonts[0] ?? null]);
    const labelled = Object.entries(LABELS).map(([name, { font }]) => [name, font]);
    expect(found).toEqual(labelled);
  });

  it('name the sheet that color and font come from', () => {
    expect(brands.get('Bootstrap with own variables and a hosted font')?.provenance).toEqual({
      colors: 'https://styled.example/own.css',
      fonts: 'https://styled.example/bootstrap/dist/css/bootstrap.min.css',
    });
  });

  it('are read whole, but for icons in custom properties longer than is read', () => {
    const partial = [...brands].filter(([, { reasons }]) => reasons.length > 0);
    expect(partial.map(([name, { reasons }]) => [name, reasons])).toEqual([
      ['Pico as it comes', ['css_value_cap']],
      ['Pico in amber', ['css_value_cap']],
      ['Pico in jade', ['css_value_cap']],
    ]);
  });
});

/** How far apart two colors look (CIE 1976). */
function distance(one: string, other: string): number {
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function labOf(hex: string): readonly [number, number, number] {
  const channel = (at: number): number => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = [channel(1), channel(3), channel(5)];
  const root = (value: number): number =>
    value > 216 / 24_389 ? Math.cbrt(value) : ((24_389 / 27) * value + 16) / 116;
  const x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
  const y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
