/** A homepage in the markup of a CSS framework, with the real sheets of its package. */
export interface StyledPage {
  readonly name: string;
  /** Files in node_modules, in the order in which the page links them. */
  readonly sheets: readonly string[];
  /** Classes that Tailwind makes a sheet of, which comes before `css`. */
  readonly tailwind?: string;
  /** The page's own sheet. */
  readonly css?: string;
  readonly html?: string;
  readonly head?: string;
  readonly body: string;
}

const BOOTSTRAP = 'bootstrap/dist/css/bootstrap.min.css';
const swatch = (theme: string): string => `bootswatch/dist/${theme}/bootstrap.min.css`;
const fontsource = (family: string): readonly string[] =>
  [400, 700].map((weight) => `@fontsource/${family}/${weight}.css`);

const TEXT =
  'We have made things with care since 1987, for people who like them to last. Come and see how it is done, or write to us.';

interface Words {
  readonly brand: string;
  readonly hero: string;
}

const bootstrapBody = (
  { brand, hero }: Words,
  { nav = 'navbar-dark bg-primary', button = 'btn-primary', heroClass = 'bg-light' } = {},
): string => `
<nav class="navbar navbar-expand-lg ${nav}"><div class="container"><a class="navbar-brand" href="/">${brand}</a>
<button class="navbar-toggler" type="button"><span class="navbar-toggler-icon"></span></button>
<div class="collapse navbar-collapse"><ul class="navbar-nav ms-auto">
<li class="nav-item"><a class="nav-link active" href="/">Home</a></li><li class="nav-item"><a class="nav-link" href="/work">Work</a></li>
<li class="nav-item dropdown"><a class="nav-link dropdown-toggle" href="#">More</a><ul class="dropdown-menu"><li><a class="dropdown-item text-danger" href="/x">Hidden</a></li></ul></li></ul></div></div></nav>
<header class="${heroClass} p-5"><div class="container"><h1 class="display-4">${hero}</h1><p class="lead">${TEXT}</p>
<a class="btn ${button} btn-lg" href="/start">Get started</a> <a class="btn btn-outline-secondary btn-lg" href="/more">Learn more</a></div></header>
<main class="container py-5"><div class="row">${['Plan', 'Build', 'Care']
  .map(
    (title) =>
      `<div class="col-md-4"><div class="card"><div class="card-body"><h2 class="card-title h5">${title}</h2><p class="card-text">${TEXT}</p><a href="/${title}">Read on</a></div></div></div>`,
  )
  .join(
    '',
  )}</div><form><input class="form-control" placeholder="Mail"><button type="submit" class="btn ${button}">Send</button></form></main>
<footer class="container text-body-secondary"><p>© ${brand}</p></footer>`;

const plainBody = ({ brand, hero }: Words, button = '<button>Get started</button>'): string => `
<header><h1>${brand}</h1><nav><a href="/">Home</a> <a href="/work">Work</a> <a href="/contact">Contact</a></nav></header>
<main><h2>${hero}</h2><p>${TEXT} <a href="/more">Read more about us</a>.</p><p>${button}</p><h3>Plan</h3><p>${TEXT}</p><h3>Build</h3><p>${TEXT}</p></main>
<footer><p>© ${brand}. <a href="/imprint">Imprint</a></p></footer>`;

const bulmaBody = ({ brand, hero }: Words, color: string): string => `
<nav class="navbar"><div class="navbar-brand"><a class="navbar-item" href="/"><strong>${brand}</strong></a></div><div class="navbar-menu"><div class="navbar-end"><a class="navbar-item" href="/work">Work</a><div class="navbar-item"><a class="button is-${color}" href="/join">Sign up</a></div></div></div></nav>
<section class="hero is-${color} is-medium"><div class="hero-body"><p class="title">${hero}</p><p class="subtitle">${TEXT}</p></div></section>
<section class="section"><div class="container content"><h2>Plan</h2><p>${TEXT}</p><a class="button is-${color} is-large" href="/go">Get started</a><h2>Build</h2><p>${TEXT}</p></div></section>
<footer class="footer"><div class="content has-text-centered"><p>© ${brand}</p></div></footer>`;

const picoBody = (words: Words): string =>
  plainBody(
    words,
    '<a href="/start" role="button">Get started</a> <button class="secondary outline">Later</button>',
  ).replace('<header>', '<header class="container">');

const uikitBody = (section: string): string => `
<nav class="uk-navbar-container" uk-navbar><div class="uk-navbar-left"><a class="uk-navbar-item uk-logo" href="/">Quill</a><ul class="uk-navbar-nav"><li class="uk-active"><a href="/">Home</a></li><li><a href="/work">Work</a></li></ul></div></nav>
<div class="uk-section ${section} uk-light"><div class="uk-container"><h1 class="uk-heading-medium">Words that work</h1><p class="uk-text-lead">${TEXT}</p></div></div>
<div class="uk-section"><div class="uk-container"><h2>Plan</h2><p>${TEXT} <a href="/more">More</a></p><a class="uk-button uk-button-primary" href="/go">Get started</a> <button class="uk-button uk-button-default">Later</button></div></div>`;

const materialBody = (color: string): string => `
<nav class="${color}"><div class="nav-wrapper container"><a href="/" class="brand-logo">Lumen</a><ul class="right"><li><a href="/work">Work</a></li></ul></div></nav>
<div class="section"><div class="container"><h1>Light for rooms</h1><p class="flow-text">${TEXT}</p><a class="btn filled waves-effect ${color}" href="/go">Get started</a></div></div>
<div class="container"><h4>Plan</h4><p>${TEXT} <a href="/more">More</a></p></div>`;

const tachyonsBody = (bar: string, link: string, font: string): string => `
<body class="w-100 ${font} bg-white"><header class="${bar} white pa3"><nav class="mw8 center"><a class="link white b f4" href="/">Harbor</a> <a class="link white ml4" href="/work">Work</a></nav></header>
<article class="pa4 mw8 center"><h1 class="f1 lh-title">Boats you can live on</h1><p class="lh-copy measure">${TEXT} <a class="link ${link}" href="/more">More</a></p><a class="button f5 link dim br2 ph4 pv3 dib white ${bar}" href="/go">Get started</a><h2>Plan</h2><p class="lh-copy">${TEXT}</p></article></body>`;

const tailwindBody = (color: string, font: string): string => `
<body class="bg-white text-slate-800 ${font}"><header class="bg-${color}-700 text-white px-8 py-4 flex justify-between"><a href="/" class="text-xl font-bold text-white">Fern</a><nav class="hidden md:flex gap-6"><a href="/work" class="text-${color}-100 hover:text-white">Work</a></nav></header>
<section class="px-8 py-24 bg-${color}-50"><h1 class="text-5xl font-bold text-slate-900">Plants that stay alive</h1><p class="mt-4 text-lg text-slate-600">${TEXT}</p><a class="btn btn-primary mt-8 inline-block rounded-lg bg-${color}-600 px-6 py-3 font-semibold text-white hover:bg-${color}-500" href="/go">Get started</a></section>
<main class="px-8 py-16 grid gap-8 md:grid-cols-3">${['Plan', 'Build', 'Care'].map((title) => `<div class="rounded-xl border border-slate-200 p-6"><h2 class="text-xl font-semibold">${title}</h2><p class="mt-2 text-slate-600">${TEXT}</p><a class="text-${color}-600 underline" href="/${title}">Read on</a></div>`).join('')}</main><footer class="px-8 py-8 bg-slate-900 text-slate-300">© Fern</footer></body>`;

export const STYLED_PAGES: readonly StyledPage[] = [
  {
    name: 'Bootstrap as it comes',
    sheets: [BOOTSTRAP],
    body: bootstrapBody({ brand: 'Northwind', hero: 'Wind for everybody' }),
  },
  {
    name: 'Bootstrap with own variables and a hosted font',
    sheets: [BOOTSTRAP, ...fontsource('inter')],
    css: `:root{--bs-body-font-family:"Inter",sans-serif;--brand:#7c3aed}
.navbar{background:var(--brand)!important}.btn-primary{--bs-btn-bg:var(--brand);--bs-btn-border-color:var(--brand)}a:not(.btn):not(.nav-link):not(.navbar-brand){color:var(--brand)}`,
    body: bootstrapBody({ brand: 'Violet', hero: 'Books by post' }),
  },
  {
    name: 'Bootstrap with a dark head and green buttons',
    sheets: [BOOTSTRAP],
    css: 'a{color:#198754}',
    body: bootstrapBody(
      { brand: 'Fairway', hero: 'Golf for all' },
      { nav: 'navbar-dark bg-dark', button: 'btn-success' },
    ),
  },
  {
    name: 'Bootstrap with serif headings of two hosted fonts',
    sheets: [BOOTSTRAP, ...fontsource('merriweather'), ...fontsource('montserrat')],
    css: `body{font-family:Montserrat,sans-serif}h1,h2,h3{font-family:Merriweather,serif}.navbar,.btn-primary{background-color:#b91c1c!important;border-color:#b91c1c!important}.card a{color:#b91c1c}`,
    body: bootstrapBody({ brand: 'Rosso', hero: 'Pasta as it was' }),
  },
  ...[
    'cerulean',
    'cosmo',
    'darkly',
    'flatly',
    'journal',
    'lux',
    'minty',
    'pulse',
    'sandstone',
    'united',
    'yeti',
    'superhero',
  ].map((theme): StyledPage => ({
    name: `Bootswatch ${theme}`,
    sheets: [swatch(theme)],
    body: bootstrapBody(
      { brand: theme, hero: 'Made with a theme' },
      { heroClass: 'bg-body-tertiary' },
    ),
  })),
  {
    name: 'Bulma in its primary color',
    sheets: ['bulma/css/bulma.min.css'],
    html: 'data-theme="light"',
    body: bulmaBody({ brand: 'Teal', hero: 'Tea from the hills' }, 'primary'),
  },
  {
    name: 'Bulma in its link color',
    sheets: ['bulma/css/bulma.min.css'],
    html: 'data-theme="light"',
    body: bulmaBody({ brand: 'Indigo', hero: 'Ink for pens' }, 'link'),
  },
  {
    name: 'Bulma in red',
    sheets: ['bulma/css/bulma.min.css'],
    html: 'data-theme="light"',
    body: bulmaBody({ brand: 'Rouge', hero: 'Lipstick' }, 'danger'),
  },
  {
    name: 'Pico as it comes',
    sheets: ['@picocss/pico/css/pico.min.css'],
    html: 'data-theme="light"',
    body: picoBody({ brand: 'Alto', hero: 'Music lessons' }),
  },
  {
    name: 'Pico in amber',
    sheets: ['@picocss/pico/css/pico.amber.min.css'],
    html: 'data-theme="light"',
    body: picoBody({ brand: 'Resin', hero: 'Amber from the sea' }),
  },
  {
    name: 'Pico in jade',
    sheets: ['@picocss/pico/css/pico.jade.min.css'],
    html: 'data-theme="light"',
    body: picoBody({ brand: 'Stone', hero: 'Cut stones' }),
  },
  {
    name: 'Pure as it comes',
    sheets: ['purecss/build/pure-min.css'],
    body: `<div class="pure-menu pure-menu-horizontal"><a href="/" class="pure-menu-heading pure-menu-link">Plain</a><ul class="pure-menu-list"><li class="pure-menu-item"><a href="/work" class="pure-menu-link">Work</a></li></ul></div><h1>Plain things</h1><p>${TEXT}</p><a class="pure-button pure-button-primary" href="/go">Get started</a><h2>Plan</h2><p>${TEXT}</p>`,
  },
  {
    name: 'UIkit with a primary section',
    sheets: ['uikit/dist/css/uikit.min.css'],
    body: uikitBody('uk-section-primary'),
  },
  {
    name: 'UIkit with a section of its own',
    sheets: ['uikit/dist/css/uikit.min.css', ...fontsource('lora')],
    css: '.hero-teal{background:#0f766e}.uk-button-primary{background-color:#0f766e}html{font-family:Lora,serif}a{color:#0f766e}h1,h2,.uk-heading-medium{font-family:Lora,serif}',
    body: uikitBody('hero-teal'),
  },
  {
    name: 'Spectre as it comes',
    sheets: ['spectre.css/dist/spectre.min.css'],
    body: `<header class="navbar"><section class="navbar-section"><a href="/" class="navbar-brand">Ghost</a><a href="/work" class="btn btn-link">Work</a></section></header><div class="hero bg-gray"><div class="hero-body"><h1>Tools you do not see</h1><p>${TEXT}</p><a class="btn btn-primary" href="/go">Get started</a></div></div><div class="container"><h2>Plan</h2><p>${TEXT} <a href="/more">More</a></p></div>`,
  },
  {
    name: 'Milligram as it comes',
    sheets: ['milligram/dist/milligram.min.css'],
    body: plainBody(
      { brand: 'Gram', hero: 'Spices' },
      '<a class="button" href="/go">Get started</a> <a class="button button-outline" href="/l">Later</a>',
    ),
  },
  {
    name: 'Tachyons in dark pink',
    sheets: ['tachyons/css/tachyons.min.css'],
    body: tachyonsBody('bg-dark-pink', 'dark-pink', 'avenir'),
  },
  {
    name: 'Tachyons in navy',
    sheets: ['tachyons/css/tachyons.min.css'],
    body: tachyonsBody('bg-navy', 'navy', 'georgia'),
  },
  {
    name: 'Tailwind in emerald',
    sheets: [],
    tailwind: 'emerald',
    body: tailwindBody('emerald', 'font-sans'),
  },
  {
    name: 'Tailwind in rose with a hosted font',
    sheets: fontsource('montserrat'),
    tailwind: 'rose',
    css: ':root{--font-sans:Montserrat,ui-sans-serif,sans-serif}',
    body: tailwindBody('rose', 'font-sans'),
  },
  {
    name: 'Materialize in teal',
    sheets: ['@materializecss/materialize/dist/css/materialize.min.css'],
    css: '.teal{background-color:#009688!important;color:#fff}',
    body: materialBody('teal'),
  },
  {
    name: 'Water as it comes',
    sheets: ['water.css/out/light.min.css'],
    body: plainBody({ brand: 'Drop', hero: 'Springs' }),
  },
  {
    name: 'MVP as it comes',
    sheets: ['mvp.css/mvp.css'],
    body: plainBody(
      { brand: 'Minimum', hero: 'Less of it' },
      '<a href="/go"><b>Get started</b></a> <a href="/l"><i>Later</i></a>',
    ),
  },
  {
    name: 'Simple as it comes',
    sheets: ['simpledotcss/simple.min.css'],
    body: plainBody({ brand: 'Simple', hero: 'No more than this' }),
  },
  {
    name: 'new.css as it comes',
    sheets: ['@exampledev/new.css/new.css'],
    body: plainBody({ brand: 'New', hero: 'Fresh bread' }),
  },
  {
    name: 'Sakura as it comes',
    sheets: ['sakura.css/css/sakura.css'],
    body: plainBody(
      { brand: 'Hanami', hero: 'Cherry trees' },
      '<a class="button" href="/go">Get started</a>',
    ),
  },
  {
    name: 'Chota as it comes',
    sheets: ['chota/dist/chota.min.css'],
    body: `<nav class="nav"><div class="nav-left"><a class="brand" href="/">Chota</a><a href="/work">Work</a></div></nav><div class="container"><h1>Small is fine</h1><p>${TEXT} <a href="/more">More</a></p><a class="button primary" href="/go">Get started</a><h2>Plan</h2><p>${TEXT}</p></div>`,
  },
  {
    name: 'Skeleton with a hosted font',
    sheets: ['skeleton-css/css/skeleton.css'],
    body: `<div class="container"><h1>Bones</h1><p>${TEXT} <a href="/more">More</a></p><a class="button button-primary" href="/go">Get started</a><h2>Plan</h2><p>${TEXT}</p></div>`,
  },
  {
    name: 'Picnic as it comes',
    sheets: ['picnic/picnic.min.css'],
    body: `<main style="padding:2em"><h1>Baskets</h1><p>${TEXT} <a href="/more">More</a></p><a class="button" href="/go">Get started</a><button>Join</button><h2>Plan</h2><p>${TEXT}</p></main>`,
  },
  {
    name: 'daisyUI as it comes',
    sheets: ['daisyui/daisyui.css', 'daisyui/themes.css'],
    html: 'data-theme="cupcake"',
    body: `<div class="navbar bg-primary text-primary-content"><a class="btn btn-ghost" href="/">Muffin</a></div><div class="hero bg-base-200"><div class="hero-content"><div><h1>Cakes for all</h1><p>${TEXT}</p><a class="btn btn-primary" href="/go">Get started</a></div></div></div><main><h2>Plan</h2><p>${TEXT} <a class="link link-primary" href="/more">More</a></p></main>`,
  },
];
