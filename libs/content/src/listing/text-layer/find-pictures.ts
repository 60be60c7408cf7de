import { type LayerFields } from '../listing-values.js';
import { selectorOf } from '../page-text/selector-of.js';
import { type PagePicture } from '../page-text/page-line.js';
import { readPhoto } from '../values/web-address.js';
import { isOwn, type TextPage } from './text-page.js';

const MAX_PHOTOS = 50;
/** A picture at least this wide, by its attributes, may represent the page. */
const MIN_HERO_WIDTH = 600;

/** The picture of the page's hero, and the pictures of its gallery. */
export function findPictures(page: TextPage): LayerFields {
  const own = page.survey.pictures.filter((picture) => isOwn(picture, page));
  const hero = own.find(
    (picture) => isHeroPicture(picture) && addressOf(picture, page) !== undefined,
  );
  return { hero_image: hero && located(hero, page), photo_urls: gallery(own, page) };
}

function isHeroPicture({ element, isHero, region }: PagePicture): boolean {
  if (region === 'nav' || region === 'foot') return false;
  const width = Number(element.attribs.width ?? 0);
  return (isHero && !(width > 0 && width < MIN_HERO_WIDTH / 2)) || width >= MIN_HERO_WIDTH;
}

const addressOf = ({ src }: PagePicture, page: TextPage): string | undefined =>
  readPhoto(src, page.identity.resolver);

function located(picture: PagePicture, page: TextPage): LayerFields['hero_image'] {
  const value = addressOf(picture, page);
  return value === undefined ? undefined : { value, path: selectorOf(picture.element) };
}

function gallery(pictures: readonly PagePicture[], page: TextPage): LayerFields['photo_urls'] {
  const inGallery = pictures.filter(({ isInGallery }) => isInGallery);
  const addresses = inGallery.flatMap((picture) => addressOf(picture, page) ?? []);
  const distinct = [...new Set(addresses)].slice(0, MAX_PHOTOS);
  const [first] = inGallery;
  return distinct.length < 2 || first === undefined
    ? undefined
    : { value: distinct, path: selectorOf(first.element) };
}
