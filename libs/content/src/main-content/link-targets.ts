import { type Element } from 'domhandler';

/** Files a text offers: never a page of the site's own lists. */
const FILE =
  /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|tsv|json|xml|ya?ml|txt|epub|zip|gz|tgz|xz|bz2|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|iso|jar|whl)(?:[?#].*)?$/i;

/** Where sites list their own accounts and buttons to share: other hosts, but about this site. */
const SHARING =
  /(?:^|\.)(?:facebook|twitter|x|linkedin|pinterest|reddit|whatsapp|telegram|t|tumblr|instagram|youtube|tiktok|flipboard|threads|snapchat|vk|getpocket|google|apple|amazon|feedly|doubleclick|outbrain|taboola)\.[a-z.]{2,6}$/;

const MAX_HREF_CHARS = 2_000;

/** Facts about links that need no page address: whether they lead to files or other sites. */
export class LinkTargets {
  /** As the page gives it. Pages that do not tend to link to their own site without its name. */
  private site: string | null = null;

  /** `<link rel=canonical>` and `og:url` name the site of the page. */
  learnSite({ attribs: { rel, href, property, content } }: Element): void {
    const isCanonical = rel?.trim().toLowerCase() === 'canonical';
    const url = isCanonical ? href : property === 'og:url' ? content : undefined;
    if (url !== undefined) this.site ??= siteOf(url);
  }

  isAway(href: string): boolean {
    if (href.length > MAX_HREF_CHARS) return false;
    if (FILE.test(href)) return true;
    const site = siteOf(href);
    return site !== null && site !== this.site && !SHARING.test(site);
  }
}

const SECOND_LEVEL = /^(?:ac|co|com|edu|gob|gov|go|gv|ne|net|or|org)$/;

/** "example.co.uk" of "https://www.example.co.uk/a": roughly the registered name. */
function siteOf(href: string): string | null {
  const host = /^\s*(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(href)?.[1]?.toLowerCase();
  if (host === undefined) return null;
  const parts = host.split('.');
  const isOfCountry = parts.length > 2 && SECOND_LEVEL.test(parts.at(-2) ?? '');
  return parts.slice(isOfCountry ? -3 : -2).join('.');
}
