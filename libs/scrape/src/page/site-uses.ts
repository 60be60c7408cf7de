import { siteHostOf } from '@app/crawl';
import type { RobotsDecision, RobotsFailure, UseFiles } from '@app/fetch';
import {
  declare,
  joinDeclared,
  refusesUse,
  termsUrl,
  type ContentUse,
  type DeclaredUse,
} from '@app/uses';
import { NOT_REQUESTED, type FailedPage } from './page-result.js';
import { ROBOTS_RETRY_MS, type RobotsQuestion } from './robots-question.js';

/** What a site declares about one of its pages beside the page itself. */
export interface SiteUse {
  /** Of robots.txt and of the licences it names. */
  readonly site: DeclaredUse | undefined;
  readonly tdmFile: DeclaredUse | undefined;
  /** A licence that could not be read now: the page may be refused by it. */
  readonly unread: UnreadLicense | null;
}

interface UnreadLicense {
  readonly url: string;
  readonly failure: RobotsFailure;
}

export const NO_SITE_USE: SiteUse = { site: undefined, tdmFile: undefined, unread: null };

/** Licences of one robots.txt that are read. */
const MAX_LICENSES = 3;

/** What sites declare about the use of their pages, as far as it lies in files of the site. */
export class SiteUses {
  constructor(private readonly files: UseFiles) {}

  /**
   * Files beside robots.txt are fetched only for a use that is to be respected.
   * @throws HttpFetchError when the deadline or signal ends the wait
   */
  async of(page: URL, robots: RobotsDecision, question: RobotsQuestion): Promise<SiteUse> {
    const declared = robots.declaredUse(page);
    const licenses = [...new Set(robots.licenses.map((written) => termsUrl(written, page.origin)))]
      .filter((url) => url !== undefined)
      .slice(0, MAX_LICENSES);
    const named = declare('robots.txt', { license: licenses[0] });
    if (question.respectUse === undefined)
      return { ...NO_SITE_USE, site: joinDeclared([declared, named]) };
    const [tdmFile, ...read] = await Promise.all([
      this.files.tdm(page, question),
      ...licenses.map((url) => this.license(url, page, question)),
    ]);
    return {
      site: joinDeclared([declared, ...read.map(({ site }) => site), named]),
      tdmFile,
      unread: read.find(({ unread }) => unread !== null)?.unread ?? null,
    };
  }

  /**
   * Adds the terms of the licence that a page itself names. Only those of its own site are fetched: others would let
   * each page name a request to anywhere.
   */
  async ofPage(page: URL, url: string, question: RobotsQuestion): Promise<SiteUse> {
    const isOwn = siteHostOf(new URL(url)) === siteHostOf(page);
    return isOwn ? this.license(url, page, question) : NO_SITE_USE;
  }

  private async license(url: string, page: URL, question: RobotsQuestion): Promise<SiteUse> {
    const use = await this.files.license(url, page, question);
    return use.kind === 'read'
      ? { ...NO_SITE_USE, site: use.declared }
      : { ...NO_SITE_USE, unread: { url, failure: use.failure } };
  }
}

/** Why a page may not be used as the request says; null: nothing speaks against it. */
export function useRefusal(
  use: ContentUse,
  declared: DeclaredUse | undefined,
  unread: UnreadLicense | null,
): FailedPage | null {
  if (declared !== undefined && refusesUse(declared, use)) return refused(use, declared);
  return unread && unreadLicense(unread);
}

function refused(use: ContentUse, declared: DeclaredUse): FailedPage {
  const { sources, license, tdmPolicy } = declared;
  const terms = license ?? tdmPolicy;
  const where = terms === undefined ? '' : `; its terms are at ${terms}`;
  const problem = `Fetch failed: the site does not allow ${use} of this page (declared in ${sources.join(', ')}${where}), and \`respectUse\` requests to obey that. Leave it out for another use, or get the site's permission`;
  return { ...NOT_REQUESTED, errorClass: 'robots', problem, refusedUse: declared };
}

/** As with a robots.txt that cannot be read. */
function unreadLicense({ url, failure }: UnreadLicense): FailedPage {
  const { errorClass, statusCode } = failure;
  const detail = statusCode === null ? errorClass : `HTTP ${statusCode}`;
  const problem = `Fetch failed: the licence that the site names (${url}) could not be read (${detail}), so \`respectUse\` cannot be obeyed. Retry, or leave it out`;
  const failed = { errorClass, problem, statusCode, retryAfterMs: ROBOTS_RETRY_MS };
  return { ...NOT_REQUESTED, ...failed, isRobotsUnread: true };
}
