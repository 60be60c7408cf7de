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
  'code' | 'emphasis' | 'link' | 'image' | 'break' | 'media' | 'math' | 'quotation' | 'rubyText';

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
  rubyText: 'rt',
};

function rolesByName<Role extends string>(
  names: Readonly<Record<Role, string>>,
): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const role of Object.keys(names) as Role[]) {
    for (const name of names[role].split(' ')) roles.set(name, role);
  }
  return roles;
}

const BLOCK_ROLES = rolesByName(BLOCKS);
const INLINE_ROLES = rolesByName(INLINES);

export function blockRoleOf(name: string): BlockRole | undefined {
  return BLOCK_ROLES.get(name);
}

export function inlineRoleOf(name: string): InlineRole | undefined {
  return INLINE_ROLES.get(name);
}
