import type { Command } from 'commander';
import type { Cli } from './cli.js';
import { addCompletion } from './commands/completion.js';
import { addCrawl } from './commands/crawl.js';
import { addDoctor } from './commands/doctor.js';
import { addExtract } from './commands/extract.js';
import { addFind } from './commands/find.js';
import { addJobs } from './commands/jobs.js';
import { addLogin } from './commands/login.js';
import { addMap } from './commands/map.js';
import { addParse } from './commands/parse.js';
import { addScrape } from './commands/scrape.js';
import { addScreenshot } from './commands/screenshot.js';
import { addSearch } from './commands/search.js';
import { registerMcp } from './mcp/register-mcp.js';

/** Every command adds itself, in the order of the help text. One that serves others takes `accessFor(program)`. */
export function addCommands(program: Command, cli: Cli): void {
  addScrape(program, cli);
  addCrawl(program, cli);
  addMap(program, cli);
  addExtract(program, cli);
  addParse(program, cli);
  addScreenshot(program, cli);
  addSearch(program, cli);
  addJobs(program, cli);
  addFind(program, cli);
  addLogin(program, cli);
  addDoctor(program, cli);
  registerMcp(program, cli);
  addCompletion(program, cli);
}
