/** Where the text of a group goes. */
export type RtfDestination =
  | 'text'
  | 'nowhere'
  | 'fonts'
  | 'styles'
  | 'title'
  | 'instruction'
  /** The bullet or number of an item, which programs write out for readers without lists. */
  | 'mark';

/** Where the text of a group goes, by its first word. */
export const RTF_DESTINATIONS: ReadonlyMap<string, RtfDestination> = new Map([
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['title', 'title'],
  ['result', 'text'],
  ['fldinst', 'instruction'],
  ['listtext', 'mark'],
  ['pntext', 'mark'],
  ...(
    'colortbl info pict object header headerl headerr headerf footer footerl footerr footerf annotation atnid ' +
    'atnauthor atnref atntime listtable listoverridetable rsidtbl generator xmlnstbl themedata colorschememapping ' +
    'datastore latentstyles shprslt nonshppict sp bkmkstart bkmkend pnseclvl revtbl filetbl xe tc tcn private ' +
    'falt panose template operator docvar userprops ftnsep ftnsepc aftnsep aftnsepc nonesttables wgrffmtfilter'
  )
    .split(' ')
    .map((name) => [name, 'nowhere'] as const),
]);

/** Destinations that readers may leave out and that hold text (`\*` is before them). */
export const READ_STARRED = new Set(['shpinst', 'shptxt', 'fldinst', 'shppict', 'nesttableprops']);

/** Words that are characters. */
export const RTF_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['emdash', '\u2014'],
  ['endash', '\u2013'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['bullet', '\u2022'],
  ['lquote', '\u2018'],
  ['rquote', '\u2019'],
  ['ldblquote', '\u201c'],
  ['rdblquote', '\u201d'],
]);

/** The address of a field that is a link. */
export function addressIn(instruction: string): string | undefined {
  const address = /^\s*HYPERLINK\s+"([^"]{1,2000})"/i.exec(instruction)?.[1];
  return address !== undefined && /^(?:https?|mailto|tel|ftp):/i.test(address)
    ? address
    : undefined;
}
