import { type ListingSurvey } from '@app/content';
import { type HomepageFacts } from '../company-page.js';
import { MAX_ADDRESS_CHARS } from '../limits.js';
import { type SurveyedPage } from '../page/page-survey.js';

/** A picture that is stated to be smaller does not open a page. */
const LEAST_HERO_PX = 400;
const NO_HERO =
  /(?:^|[\W_])(?:logo\w*|icons?|favicon|sprites?|avatars?|badges?|pixel|spacer|blank|placeholder|flags?|payment|loader|spinner|arrow)(?:[\W_]|$)|\.svg(?:$|\?)|^data:/i;

/** Title, description and opening picture of a page. */
export function readHomepage(surveyed: SurveyedPage): HomepageFacts {
  const { title, description } = surveyed.page.metadata;
  const heroImage = heroOf(surveyed);
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(heroImage === undefined ? {} : { heroImage }),
  };
}

/** What the page names for cards, else the first large picture of its opening, else of its body. */
function heroOf({ page, survey, markings }: SurveyedPage): string | undefined {
  const { openGraph = {}, twitter = {} } = page.metadata;
  const stated = [
    openGraph['og:image'],
    openGraph['og:image:secure_url'],
    openGraph['og:image:url'],
    twitter.image,
  ];
  const shown = [
    ...picturesOf(survey, true),
    ...markings.backgrounds,
    ...picturesOf(survey, false),
  ];
  for (const reference of [...stated, ...shown]) {
    const address =
      reference === undefined ? undefined : page.resolver.resolveWeb(reference.trim());
    if (address !== undefined && address.length <= MAX_ADDRESS_CHARS) return address;
  }
  return undefined;
}

const picturesOf = (survey: ListingSurvey, isHero: boolean): readonly string[] =>
  survey.pictures
    .filter(({ region }) => region === 'body' || (isHero && region === 'head'))
    .filter((picture) => picture.isHero === isHero && isLarge(picture))
    .map(({ src }) => src)
    .slice(0, 5);

function isLarge({ src, alt, element }: ListingSurvey['pictures'][number]): boolean {
  const file = src.slice(src.lastIndexOf('/'));
  if (NO_HERO.test(file.slice(0, 300)) || /\blogo\b/i.test(alt)) return false;
  const width = Number.parseInt(element.attribs.width ?? '', 10);
  return Number.isNaN(width) || width >= LEAST_HERO_PX;
}
