import { type ReadablePage } from '@app/content';
import { type CompanyPage } from './company-page.js';
import { findEmails } from './emails/find-emails.js';
import { readHomepage } from './homepage/read-homepage.js';
import { surveyCompanyPage } from './page/page-survey.js';
import { findPhones } from './phones/find-phones.js';
import { readPlace } from './place/read-place.js';
import { findPriorityLinks } from './priority/find-priority-links.js';
import { findProfiles } from './socials/find-socials.js';
import { findTeam } from './team/find-team.js';

/**
 * Reads what a page says of the company whose site it is on. The result is JSON-safe and bounded
 * (limits.ts); time is linear in the page. Never throws, whatever the page.
 */
export function readCompanyPage(page: ReadablePage): CompanyPage {
  const surveyed = surveyCompanyPage(page);
  return {
    url: page.url,
    emails: findEmails(surveyed),
    phones: findPhones(surveyed),
    profiles: findProfiles(surveyed),
    team: findTeam(surveyed),
    homepage: readHomepage(surveyed),
    place: readPlace(surveyed),
    links: findPriorityLinks(page),
  };
}
