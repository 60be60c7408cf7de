/** What a person sees of a page: its main color, and the family it is set in. */
export interface Label {
  readonly color: string;
  /** Null: the machine's own. */
  readonly font: string | null;
}

const label = (color: string, font: string | null = null): Label => ({ color, font });

/**
 * Read from screenshots (Chromium, 1280 × 800): what one would name as the page's color, which is
 * that of its bar, large area or main button; where there is none of these, the only color there
 * is. Counting pixels gives the same: each is the commonest color of its picture that is no grey,
 * but for lux, which has none, and superhero, whose ground is commoner. Fonts that the picture does
 * not show, as their files lie with hosts, are what Chromium computes for the text, or for headings
 * where the text is set in the machine's own.
 */
export const LABELS: Readonly<Record<string, Label>> = {
  'Bootstrap as it comes': label('#0d6efd'),
  'Bootstrap with own variables and a hosted font': label('#7c3aed', 'Inter'),
  'Bootstrap with a dark head and green buttons': label('#198754'),
  'Bootstrap with serif headings of two hosted fonts': label('#b91c1c', 'Montserrat'),
  'Bootswatch cerulean': label('#2fa4e7'),
  'Bootswatch cosmo': label('#2780e3', 'Source Sans Pro'),
  'Bootswatch darkly': label('#375a7f', 'Lato'),
  'Bootswatch flatly': label('#2c3e50', 'Lato'),
  'Bootswatch journal': label('#eb6864', 'News Cycle'),
  'Bootswatch lux': label('#1a1a1a', 'Nunito Sans'),
  'Bootswatch minty': label('#78c2ad', 'Montserrat'),
  'Bootswatch pulse': label('#593196'),
  'Bootswatch sandstone': label('#325d88', 'Roboto'),
  'Bootswatch united': label('#e95420', 'Ubuntu'),
  'Bootswatch yeti': label('#008cba', 'Open Sans'),
  'Bootswatch superhero': label('#df6919', 'Lato'),
  'Bulma in its primary color': label('#00d1b2', 'Inter'),
  'Bulma in its link color': label('#4258ff', 'Inter'),
  'Bulma in red': label('#ff6685', 'Inter'),
  'Pico as it comes': label('#0172ad'),
  'Pico in amber': label('#ffbf00'),
  'Pico in jade': label('#007a50'),
  'Pure as it comes': label('#0078e7'),
  'UIkit with a primary section': label('#1e87f0'),
  'UIkit with a section of its own': label('#0f766e', 'Lora'),
  'Spectre as it comes': label('#5755d9'),
  'Milligram as it comes': label('#9b4dca', 'Roboto'),
  'Tachyons in dark pink': label('#d5008f', 'avenir next'),
  'Tachyons in navy': label('#001b44', 'georgia'),
  'Tailwind in emerald': label('#007a55'),
  'Tailwind in rose with a hosted font': label('#c70036', 'Montserrat'),
  'Materialize in teal': label('#009688'),
  'Water as it comes': label('#0076d1'),
  'MVP as it comes': label('#118bee'),
  'Simple as it comes': label('#0d47a1'),
  'new.css as it comes': label('#0070f3', 'Inter'),
  'Sakura as it comes': label('#1d7484'),
  'Chota as it comes': label('#14854f'),
  'Skeleton with a hosted font': label('#33c3f0', 'Raleway'),
  'Picnic as it comes': label('#0074d9', 'Arial'),
  'daisyUI as it comes': label('#44ebd3'),
};
