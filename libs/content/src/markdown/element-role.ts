/** What a block element is to the writer. */
export type BlockRole =
  | 'block'
  | 'heading'
  | 'list'
  | 'item'
  | 'quote'
  | 'preformatted'
  | 'rule'
  | 'table'
  | 'row'
  | 'cell'
  | 'caption'
  | 'summary'
  | 'term'
  | 'definition';

/** What an inline element is to the writer; anything that has no role is transparent. */
export type InlineRole =
  | 'code'
  | 'emphasis'
  | 'link'
  | 'image'
  | 'break'
  | 'media'
  | 'math'
  | 'quotation'
  | 'ruby'
  | 'rubyText'
  | 'raised';

const BLOCKS: Readonly<Record<BlockRole, string>> = {
  block:
    'p div section article main header footer nav aside address figure figcaption form fieldset legend center hgroup search dl details body html thead tbody tfoot dialog',
  heading: 'h1 h2 h3 h4 h5 h6',
  list: 'ul ol menu dir',
  item: 'li',
  quote: 'blockquote',
  preformatted: 'pre listing xmp plaintext',
  rule: 'hr',
  table: 'table',
  row: 'tr',
  cell: 'td th',
  caption: 'caption',
  summary: 'summary',
  term: 'dt',
  definition: 'dd',
};

const INLINES: Readonly<Record<InlineRole, string>> = {
  code: 'code kbd samp tt',
  emphasis: 'strong b em i del s strike',
  link: 'a',
  image: 'img',
  break: 'br',
  media: 'iframe frame video audio',
  math: 'math',
  quotation: 'q',
  ruby: 'ruby',
  rubyText: 'rt',
  raised: 'sup',
};

/** All that the writer asks of a tag's name, by one look-up. */
export interface ElementRoles {
  readonly block: BlockRole | undefined;
  readonly inline: InlineRole | undefined;
}

const NO_ROLE: ElementRoles = { block: undefined, inline: undefined };

const ROLES: ReadonlyMap<string, ElementRoles> = new Map<string, ElementRoles>([
  ...(Object.keys(BLOCKS) as BlockRole[]).flatMap((block) =>
    BLOCKS[block].split(' ').map((name) => [name, { block, inline: undefined }] as const),
  ),
  ...(Object.keys(INLINES) as InlineRole[]).flatMap((inline) =>
    INLINES[inline].split(' ').map((name) => [name, { block: undefined, inline }] as const),
  ),
]);

export function rolesOf(name: string): ElementRoles {
  return ROLES.get(name) ?? NO_ROLE;
}

export function blockRoleOf(name: string): BlockRole | undefined {
  return rolesOf(name).block;
}
