import { startCompanySites } from './start-company-sites.js';
import { loadCompanySites } from './load-company-sites.js';

describe('startCompanySites', () => {
  it('serves each company on a port of its own, with and without a last slash', async () => {
    const companies = await startCompanySites(['dentist-wordpress', 'bakery-shopify']);
    try {
      const [bakery, dentist] = companies.sites;
      expect(companies.sites.map(({ name }) => name)).toEqual([
        'bakery-shopify',
        'dentist-wordpress',
      ]);
      expect(bakery?.server.port).not.toBe(dentist?.server.port);
      const page = await fetch(`${dentist?.url}meet-the-team/`);
      expect(await page.text()).toContain('Karen Lindqvist');
      const robots = await fetch(`${dentist?.url}robots.txt`);
      expect([robots.status, await robots.text()]).toEqual([200, 'User-agent: *\nAllow: /\n']);
      expect((await fetch(`${dentist?.url}pricing`)).status).toBe(404);
    } finally {
      await companies.close();
    }
  });

  it('refuses names of no company', async () => {
    await expect(startCompanySites(['nobody'])).rejects.toThrow('nobody');
  });
});

describe('loadCompanySites', () => {
  it('has at least forty companies, each with a homepage and labels', () => {
    const sites = loadCompanySites();
    expect(sites.length).toBeGreaterThanOrEqual(40);
    expect(new Set(sites.map(({ labels }) => labels.domain)).size).toBe(sites.length);
    const pages = sites.flatMap((site) => [...site.pages.values()]);
    expect(pages.every((html) => /<html/i.test(html))).toBe(true);
  });
});
