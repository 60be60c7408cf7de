import { debianFiles } from '@app/testing';

const PACKAGE = 'postgresql-doc-15';
const INSIDE = 'usr/share/doc/postgresql-doc-15/html';

/**
 * A folder with the HTML manual of PostgreSQL 15, over a thousand real pages: TEST_REAL_SITE when set,
 * or that of the Debian package.
 */
export function realSite(): string {
  const given = process.env['TEST_REAL_SITE'];
  if (given) return given;
  return debianFiles(
    PACKAGE,
    INSIDE,
    ', or set TEST_REAL_SITE to a folder with the manual as HTML files',
  );
}
