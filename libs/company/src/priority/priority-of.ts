/** Kinds of pages that say most of a company, the most useful first. */
export const PRIORITIES = [
  'about',
  'team',
  'contact',
  'imprint',
  'leadership',
  'people',
  'company',
  'support',
] as const;
type Priority = (typeof PRIORITIES)[number];

/**
 * How links to each kind are worded and where they lead, in several languages: without accents, in
 * lower case, words divided by single hyphens (`über uns` and `/ueber_uns/` are both found).
 */
const PRIORITY_WORDS: Readonly<Record<Priority, readonly string[]>> = {
  about:
    'about about-us who-we-are our-story story our-history meet-us get-to-know-us about-the-company about-the-firm uber-uns ueber-uns uberuns ueberuns wir wer-wir-sind das-sind-wir qui-sommes-nous a-propos apropos a-propos-de-nous notre-histoire la-maison nosotros quienes-somos sobre-nosotros acerca-de acerca conocenos sobre sobre-nos quem-somos chi-siamo la-nostra-storia over-ons over wie-zijn-wij o-nas om-oss om-os meista tietoa-meista kim-jsme hakkimizda o-kompanii o-nac rolunk despre-noi 私たちについて 私達について 当店について 当社について 关于我们 關於我們 회사소개 о-нас о-компании'.split(
      ' ',
    ),
  team: 'team our-team the-team meet-the-team meet-our-team teams staff our-staff crew mitarbeiter unser-team ansprechpartner equipe notre-equipe l-equipe equipo nuestro-equipo il-team squadra lo-staff equipa nossa-equipe ons-team medewerkers zespol nasz-zespol tym nas-tym tiimi henkilosto henkilokunta medarbejdere medarbetare ansatte vart-team スタッフ スタッフ紹介 チーム メンバー 团队 команда'.split(
    ' ',
  ),
  contact:
    'contact contact-us contacts contactus get-in-touch reach-us find-us visit-us locations-and-contact talk-to-us kontakt kontaktieren-sie-uns contactez-nous nous-contacter nous-trouver contacto contactanos contactenos contatti contattaci contato fale-conosco contacteer-ons neem-contact-op kontakta-oss kontakt-oss kontakt-os ota-yhteytta yhteystiedot kontakty iletisim kapcsolat お問い合わせ お問合せ アクセス 联系我们 聯絡我們 문의 контакты'.split(
      ' ',
    ),
  imprint:
    'impressum imprint legal-notice legal mentions-legales aviso-legal note-legali colofon colophon informazioni-legali 特定商取引法に基づく表記'.split(
      ' ',
    ),
  leadership:
    'leadership our-leadership leadership-team management management-team executive-team board board-of-directors directors founders our-founders geschaftsfuhrung geschaeftsfuehrung geschaftsleitung vorstand direction dirigeants direccion direttivo direzione directie bestyrelse ledelse ledning zarzad 役員 役員紹介 役員一覧 代表挨拶 代表メッセージ 社長挨拶'.split(
      ' ',
    ),
  people:
    'people our-people attorneys our-attorneys lawyers doctors our-doctors providers our-providers physicians dentists meet-the-doctor meet-the-doctors agents our-agents advisors stylists our-stylists faculty professionals experts our-experts anwalte rechtsanwalte arzte berater avocats collaborateurs associes abogados profesionales professionisti avvocati soci advocaten advokater 社員紹介'.split(
      ' ',
    ),
  company:
    'company our-company the-company firm our-firm the-firm practice our-practice corporate company-profile profile unternehmen firma das-unternehmen kanzlei betrieb praxis entreprise la-societe societe l-entreprise empresa la-empresa a-empresa azienda l-azienda bedrijf het-bedrijf foretaget virksomheden yritys o-firmie o-spolecnosti 会社概要 会社案内 企業情報 会社情報 公司简介'.split(
      ' ',
    ),
  support:
    'support customer-support customer-service help-center kundenservice hilfe service-center assistance aide soporte atencion-al-cliente assistenza suporte klantenservice asiakaspalvelu kundeservice kundtjanst サポート'.split(
      ' ',
    ),
};

/** The pages of POST /v1/enrich beside the homepage, in this order (specification). */
export const FIXED_PATHS = [
  '/about',
  '/about-us',
  '/team',
  '/our-team',
  '/contact',
  '/contact-us',
] as const;

export interface Ranked {
  readonly priority: Priority;
  /** 4: text and path say so, 3: one of them to the letter, 2 and 1: among other words. */
  readonly strength: number;
}

const KIND_OF: ReadonlyMap<string, Priority> = new Map(
  // Backwards, so that the first of two kinds that share a word keeps it.
  [...PRIORITIES].reverse().flatMap((kind) => PRIORITY_WORDS[kind].map((word) => [word, kind])),
);

/** Pages that are about something else, whatever words their addresses share, and files. */
const ELSEWHERE =
  /\/(?:blog|news|press|posts?|articles?|events?|products?|product|shop|store|category|tag|author|jobs?|careers?|wp-content|wp-json|feed|cart|checkout|account|login|search|aktuelles|actualites|noticias|karriere)\/|\/(?:19|20)\d\d\/|\.(?:pdf|jpe?g|png|gif|svg|webp|zip|docx?|xlsx?|mp[34]|ics|vcf|xml|rss)$/i;
const MAX_TEXT_CHARS = 60;

/** Which priority page a link leads to, by its text and its path; undefined: none. */
export function priorityOf(url: string, text: string): Ranked | undefined {
  const path = pathOf(url);
  if (path === '/' || ELSEWHERE.test(path)) return undefined;
  const byText = text.length <= MAX_TEXT_CHARS ? KIND_OF.get(wordsOf(text)) : undefined;
  const segment = wordsOf(
    (
      path
        .replace(/(?<!\/)\/+$/, '')
        .split('/')
        .at(-1) ?? ''
    ).replace(/\.(?:html?|php|aspx?|jsp|cfm)$/i, ''),
  );
  const byPath = KIND_OF.get(segment);
  if (byText !== undefined) return { priority: byText, strength: byText === byPath ? 4 : 3 };
  if (byPath !== undefined) return { priority: byPath, strength: 3 };
  return amongWords(wordsOf(text.slice(0, MAX_TEXT_CHARS)), 2) ?? amongWords(segment, 1);
}

/** Longest run of words that is known: `contact-our-office` holds `contact`. */
function amongWords(words: string, strength: number): Ranked | undefined {
  const parts = words.split('-').slice(0, 6);
  for (let length = parts.length; length > 0; length--)
    for (let start = 0; start + length <= parts.length; start++) {
      const run = parts.slice(start, start + length).join('-');
      const priority = run.length >= 4 ? KIND_OF.get(run) : undefined;
      if (priority !== undefined) return { priority, strength };
    }
  return undefined;
}

function pathOf(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '/').slice(0, 500);
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: the words are readable without it.
    return path;
  }
}

/** Lower case, without accents, words divided by single hyphens. */
function wordsOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[æ]/g, 'ae')
      .replace(/[ø]/g, 'o')
      .replace(/ł/g, 'l')
      .normalize('NFD')
      // The marks of Japanese kana are letters, not accents.
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
  );
}
