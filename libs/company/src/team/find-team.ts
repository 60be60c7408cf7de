import type { TeamMember } from '../enrichment.js';
import { type SurveyedPage } from '../page/page-survey.js';
import { joinTeam } from './join-team.js';
import { peopleOfJsonLd } from './json-ld-people.js';
import { peopleOfLines } from './people-of-lines.js';

/** The company's people as a page presents them: those of JSON-LD, then those of its text. */
export function findTeam({ nodes, page, survey, voice }: SurveyedPage): readonly TeamMember[] {
  return joinTeam([
    ...peopleOfJsonLd(nodes, page.jsonLd.items),
    ...peopleOfLines(survey.lines, voice, page.url),
  ]);
}
