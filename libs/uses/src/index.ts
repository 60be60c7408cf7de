export {
  CONTENT_USES,
  type ContentUse,
  declare,
  type DeclaredUse,
  joinDeclared,
  joinUses,
  readUses,
  refusesUse,
  tdmUse,
  termsUrl,
  USE_LEVELS,
  USE_SOURCES,
  type Uses,
} from './declared-use.js';
export { headerLinks } from './link-header.js';
export { ownMarkdownUrl } from './markdown-url.js';
export { pageUse, RSL_TYPE } from './page-use.js';
