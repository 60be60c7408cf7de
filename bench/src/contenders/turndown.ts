import TurndownService from 'turndown';
import plugins from 'turndown-plugin-gfm';

/** The converter to Markdown one would take with crawlee, with tables. */
export function makeTurndown(): TurndownService {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  turndown.use(plugins.gfm);
  turndown.remove(['script', 'style', 'noscript', 'svg']);
  return turndown;
}
