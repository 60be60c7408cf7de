export * from './discover-sitemaps.js';
export * from './read-sitemap.js';
export * from './sitemap-file.js';
