/** Bounds of what is kept of one page and of one company: a page of spam must not become a result. */

/** Distinct mail addresses, phone numbers, profiles and people of one page. */
export const MAX_PAGE_EMAILS = 200;
export const MAX_PAGE_PHONES = 100;
export const MAX_PAGE_PROFILES = 50;
export const MAX_TEAM = 200;

/** Links of a page that may lead to a priority page. */
export const MAX_PRIORITY_LINKS = 100;

/** Distinct mail addresses and phone numbers of one company. */
export const MAX_EMAILS = 100;
export const MAX_PHONES = 50;

/** UTF-16 units of a name, of a role, and of an address of the web. */
export const MAX_NAME_CHARS = 80;
export const MAX_ROLE_CHARS = 120;
export const MAX_ADDRESS_CHARS = 2_000;
