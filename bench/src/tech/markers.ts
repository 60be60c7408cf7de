/** How a technology is marked on a page of the benchmark. */
export interface Marker {
  readonly name: string;
  readonly head?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const generator = (name: string, content: string): Marker => ({
  name,
  head: `<meta name="generator" content="${content}">`,
});

const script = (name: string, src: string, body?: string): Marker => ({
  name,
  head: `<script src="${src}"></script>`,
  ...(body !== undefined && { body }),
});

const header = (name: string, headers: Readonly<Record<string, string>>): Marker => ({
  name,
  headers,
});

/** What the products write themselves, one or two signs each. */
export const MARKERS: readonly Marker[] = [
  {
    name: 'WordPress',
    head: '<meta name="generator" content="WordPress 6.6.1"><link rel="stylesheet" href="/wp-content/themes/north/style.css">',
  },
  {
    name: 'Drupal',
    head: '<meta name="Generator" content="Drupal 10 (https://www.drupal.org)">',
    headers: { 'x-generator': 'Drupal 10 (https://www.drupal.org)' },
  },
  generator('Joomla', 'Joomla! - Open Source Content Management'),
  generator('Hugo', 'Hugo 0.131.0'),
  generator('Jekyll', 'Jekyll v4.3.3'),
  generator('Ghost', 'Ghost 5.87'),
  { ...generator('Gatsby', 'Gatsby 5.13.7'), body: '<div id="___gatsby"></div>' },
  generator('Docusaurus', 'Docusaurus v3.5.1'),
  generator('MediaWiki', 'MediaWiki 1.42.1'),
  generator('TYPO3 CMS', 'TYPO3 CMS'),
  { ...generator('Wix', 'Wix.com Website Builder'), headers: { 'x-wix-request-id': '17.42' } },
  generator('Webflow', 'Webflow'),
  generator('Discourse', 'Discourse 3.3.0.beta4 - https://github.com/discourse/discourse'),
  { ...generator('PrestaShop', 'PrestaShop'), headers: { 'powered-by': 'PrestaShop' } },
  generator('Hexo', 'Hexo 7.3.0'),
  generator('Astro', 'Astro v4.13.1'),
  generator('VitePress', 'VitePress v1.3.1'),
  script('jQuery', 'https://code.jquery.com/jquery-3.7.1.min.js'),
  {
    name: 'Bootstrap',
    head: '<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css"><script src="/assets/bootstrap.min.js"></script>',
  },
  {
    name: 'Font Awesome',
    head: '<link rel="stylesheet" href="https://use.fontawesome.com/releases/v5.15.4/css/all.css">',
  },
  script('Google Tag Manager', 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC123'),
  script('Google Analytics', 'https://www.google-analytics.com/analytics.js'),
  script('Hotjar', 'https://static.hotjar.com/c/hotjar-1234567.js?sv=6'),
  script('Stripe', 'https://js.stripe.com/v3/'),
  script(
    'reCAPTCHA',
    'https://www.google.com/recaptcha/api.js',
    '<div class="g-recaptcha" data-sitekey="k"></div>',
  ),
  script('Moment.js', '/vendor/moment.min.js'),
  script('Lodash', '/vendor/lodash.min.js'),
  script('D3', 'https://d3js.org/d3.v7.min.js'),
  script('Segment', 'https://cdn.segment.com/analytics.js/v1/key/analytics.min.js'),
  script('Intercom', 'https://widget.intercom.io/widget/abcd1234'),
  {
    name: 'Next.js',
    body: '<script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>',
    headers: { 'x-powered-by': 'Next.js' },
  },
  script('Nuxt.js', '/_nuxt/entry.4f1c.js', '<div id="__nuxt"></div>'),
  script(
    'Vue.js',
    'https://unpkg.com/vue@3.4.35/dist/vue.global.js',
    '<div data-v-7ba5bd90></div>',
  ),
  script('AngularJS', '/vendor/angular.min.js', '<div ng-app="shop"></div>'),
  {
    ...generator('Elementor', 'Elementor 3.23.4; features: e_optimized_css_loading'),
    body: '<div class="elementor elementor-12"></div>',
  },
  {
    name: 'WooCommerce',
    head: '<meta name="generator" content="WooCommerce 9.1.4"><link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver=9.1.4">',
  },
  {
    name: 'Yoast SEO',
    head: '<!-- This site is optimized with the Yoast SEO plugin v23.2 - https://yoast.com/wordpress/plugins/seo/ -->',
  },
  header('Nginx', { server: 'nginx/1.26.1' }),
  header('Apache HTTP Server', { server: 'Apache/2.4.62 (Debian)' }),
  header('PHP', { 'x-powered-by': 'PHP/8.3.9' }),
  header('Express', { 'x-powered-by': 'Express' }),
  header('Cloudflare', { server: 'cloudflare', 'cf-ray': '8b1c2d3e4f-AMS' }),
  header('Varnish', { via: '1.1 varnish (Varnish/7.4)', 'x-varnish': '32770 5' }),
  header('Laravel', { 'set-cookie': 'laravel_session=eyJpdiI6; path=/' }),
  header('Microsoft ASP.NET', { 'x-aspnet-version': '4.0.30319', 'x-powered-by': 'ASP.NET' }),
  {
    name: 'Magento',
    head: '<script type="text/x-magento-init">{"*":{}}</script><script src="/static/version1/frontend/Magento/luma/en_US/mage/cookies.js"></script>',
    headers: { 'set-cookie': 'X-Magento-Vary=9f; path=/' },
  },
  {
    name: 'Shopify',
    head: '<link rel="stylesheet" href="//cdn.shopify.com/s/files/1/0001/t/1/assets/theme.css"><script src="https://cdn.shopify.com/s/trekkie.js"></script>',
    headers: { 'x-shopid': '12345678' },
  },
  {
    name: 'Squarespace',
    head: '<script src="https://static1.squarespace.com/static/vta/site.js"></script>',
    body: '<!-- This is Squarespace. -->',
    headers: { server: 'Squarespace' },
  },
  {
    name: 'phpBB',
    body: '<div class="copyright">Powered by <a href="https://www.phpbb.com/">phpBB</a>&reg; Forum Software</div>',
    headers: { 'set-cookie': 'phpbb3_k2x_sid=77; path=/' },
  },
  {
    ...generator('Matomo Analytics', 'Matomo - free/libre analytics platform'),
    body: '<script src="/matomo.js" async></script>',
  },
];
