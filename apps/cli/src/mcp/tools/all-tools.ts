import { crawlCancelTool, crawlStatusTool } from './crawl-job.tools.js';
import { crawlResultsTool } from './crawl-results.tool.js';
import { crawlTool } from './crawl.tool.js';
import type { DefinedTool } from './define-tool.js';
import { enrichTool } from './enrich.tool.js';
import { extractTool } from './extract.tool.js';
import { mapTool } from './map.tool.js';
import { parseTool } from './parse.tool.js';
import { scrapeTool } from './scrape.tool.js';
import { searchTool } from './search.tool.js';

/** In the order in which hosts list them. */
export const TOOLS: readonly DefinedTool[] = [
  scrapeTool,
  mapTool,
  searchTool,
  crawlTool,
  crawlStatusTool,
  crawlResultsTool,
  crawlCancelTool,
  extractTool,
  parseTool,
  enrichTool,
];
