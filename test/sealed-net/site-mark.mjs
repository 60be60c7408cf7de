/** A text that every page of the fixture site holds. */
export const SITE_MARK = 'fixture site of the sealed network';
