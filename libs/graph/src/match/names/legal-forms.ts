/**
 * Legal forms that end a name, as folded words without dots. One of single letters may also be written apart (`s r l`).
 * Forms that end names of US shops more often than those of companies are left out: AC, CC, II, SF, SPA.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  'United States': `inc|incorporated|incorporation|corp|corporation|co|company|llc|lc|ltd co|pllc|pc|pa|llp|lllp|lp
    |limited liability company|limited company|limited partnership|limited liability partnership|pbc|na|chtd
    |national association|professional corporation|professional association
    |professional limited liability company`,
  Canada: 'ltee|limitee|ulc|enr|senc|sencrl|societe en commandite',
  'United Kingdom and Ireland': `ltd|limited|plc|public limited company|cic|community interest company|cio|dac|clg
    |designated activity company|teoranta`,
  'Australia, New Zealand, South Africa': `pty|pty ltd|pty limited|proprietary limited|p l|pl|soc ltd`,
  'Germany and Austria': `gmbh|g mbh|gesmbh|ges mbh|gesellschaft mbh|mbh|ggmbh|gesellschaft mit beschrankter haftung
    |ag|aktiengesellschaft|kg|kgaa|ohg|og|gbr|ug|ug haftungsbeschrankt|haftungsbeschrankt|ek|e kfm|e kfr|ekfm|ekfr
    |ev|eg|eu|kommanditgesellschaft|offene handelsgesellschaft|partg|partgmbb|partg mbb|partnerschaft mbb
    |partnerschaftsgesellschaft|eingetragener verein|eingetragene genossenschaft|se|gmbh co kg|gmbh co
    |gmbh co kgaa|gmbh co ohg|ag co kg|ag co kgaa|ug co kg|ug haftungsbeschrankt co kg|co kg|co ohg`,
  Switzerland: 'sagl|genossenschaft|gesellschaft',
  'France, Belgium, Luxembourg': `sa|sas|sasu|sarl|sarlu|sarls|eurl|snc|sci|scp|scm|sca|scop|selarl|selas|selafa|gie
    |societe anonyme|societe a responsabilite limitee|societe par actions simplifiee|societe en nom collectif
    |societe par actions simplifiee unipersonnelle|entreprise unipersonnelle a responsabilite limitee
    |sa rl|societe civile immobiliere|sprl|bvba|asbl|vzw|cvba|scrl|scs|cie|compagnie`,
  'Spain and Latin America': `sl|slu|sll|slp|slne|sau|sociedad limitada|sociedad anonima|s coop|scoop|cb
    |sociedad limitada unipersonal|sociedad de responsabilidad limitada|sociedad cooperativa
    |ltda|limitada|cia ltda|compania limitada|cia|eirl|saic|saci|sacif`,
  Mexico: `sa de cv|sab de cv|sapi de cv|s de rl de cv|s de rl|s de rl mi|sc de rl|sofom enr|sofom er
    |sociedad anonima de capital variable`,
  'Brazil and Portugal': `eireli|lda|unipessoal lda|sociedade anonima|sociedade unipessoal lda|ltda me|ltda epp
    |eireli me|eireli epp|mei`,
  Italy: `srl|srls|sapa|societa per azioni|societa a responsabilita limitata|scarl|soc coop|societa cooperativa
    |societa a responsabilita limitata semplificata|societa in nome collettivo|societa in accomandita semplice`,
  Netherlands:
    'bv|nv|vof|cv|besloten vennootschap|naamloze vennootschap|vennootschap onder firma|maatschap',
  'Sweden, Norway, Denmark, Finland, Iceland': `ab|hb|kb|aktiebolag|aktiebolaget|publ|handelsbolag|as|asa|ans|nuf|enk
    |aksjeselskap|allmennaksjeselskap|aps|i s|k s|p s|ivs|amba|aktieselskab|anpartsselskab|interessentskab
    |oy|oyj|ky|abp|osakeyhtio|julkinen osakeyhtio|kommandiittiyhtio|tmi|ehf|hf|ohf`,
  Poland: `sp z oo|sp zoo|sp z o o|spzoo|spolka z oo|spolka z ograniczona odpowiedzialnoscia|spolka akcyjna|sp k|sp j
    |sp p|spolka komandytowa|spolka jawna`,
  'Czechia to the Balkans':
    'sro|s ro|spol s r o|spol sro|vos|kft|zrt|nyrt|bt|kkt|doo|dd|jdoo|ood|eood',
  'Baltic states': 'uab|sia|ou|osauhing|aktsiaselts',
  Turkey: `anonim sirketi|limited sirketi|ltd sti|sti|san tic ltd sti|san ve tic ltd sti|san tic as|san ve tic as
    |tic ltd sti`,
  'Russia, Ukraine, Israel': 'ooo|oao|zao|pao|ооо|оао|зао|пао|ао|тов|ип|בעמ|בע מ',
  Japan: `kk|gk|kabushiki kaisha|kabushiki gaisha|godo kaisha|yugen kaisha|株式会社|有限会社|合同会社|合資会社|株|有`,
  'China, Taiwan, Korea': `co ltd|company limited|co limited|有限公司|股份有限公司|有限责任公司|有限責任公司
    |주식회사|유한회사|주|유`,
  India: 'pvt|pvt ltd|private limited|private ltd|pvt limited|p ltd|opc|opc pvt ltd',
  'Asia and the Gulf': `pte|pte ltd|pte limited|sdn bhd|bhd|berhad|sendirian berhad|tbk|pcl|public company limited|jsc
    |joint stock company|fze|fzco|fzc|fz llc|wll|psc|saog|saoc`,
};

/** Legal forms that begin a name. Those that are also a word or a name (SAS, AB, PT) stay. */
const BEGINNINGS =
  'sarl|eurl|sasu|selarl|ooo|oao|zao|pao|ооо|оао|зао|пао|тов|ип|株式会社|有限会社|合同会社|주식회사|유한회사|cong ty tnhh|cong ty co phan|株|有|주|유';
/** Written without a space before or behind the name. */
const ATTACHED = [
  ...['株式会社', '有限会社', '合同会社', '合資会社', '股份有限公司', '有限责任公司'],
  ...['有限責任公司', '有限公司', '주식회사', '유한회사'],
];

const formsOf = (list: string): readonly string[] => list.split('|').map((form) => form.trim());
const ENDING_FORMS = new Set(Object.values(ENDINGS).flatMap(formsOf));
const BEGINNING_FORMS = new Set(formsOf(BEGINNINGS));
const MAX_FORM_WORDS = 6;
/** The last words of legal forms: most names end with none of them. */
const LAST_WORDS = new Set([...ENDING_FORMS].map((form) => form.slice(form.lastIndexOf(' ') + 1)));

/** Words without the legal forms at both ends; nothing is left of a name that is a legal form alone. */
export function withoutLegalForms(words: readonly string[]): readonly string[] {
  let rest = words.map(detached);
  for (let size = formAtEnd(rest); size > 0; size = formAtEnd(rest)) rest = rest.slice(0, -size);
  for (let size = formAtStart(rest); size > 0; size = formAtStart(rest)) rest = rest.slice(size);
  return rest;
}

function formAtEnd(words: readonly string[]): number {
  const last = words.at(-1) ?? '';
  if (!LAST_WORDS.has(last) && !isLetter(last)) return 0;
  for (let size = Math.min(MAX_FORM_WORDS, words.length); size > 0; size--) {
    const ending = words.slice(-size);
    if (ENDING_FORMS.has(ending.join(' '))) return size;
    if (size > 1 && ending.every(isLetter) && ENDING_FORMS.has(ending.join(''))) return size;
  }
  return 0;
}

function formAtStart(words: readonly string[]): number {
  for (let size = Math.min(MAX_FORM_WORDS, words.length); size > 0; size--)
    if (BEGINNING_FORMS.has(words.slice(0, size).join(' '))) return size;
  return 0;
}

const isLetter = (word: string): boolean => word.length === 1;

const FIRST_ASIAN_LETTER = 0x1100;

function detached(word: string): string {
  if (word.charCodeAt(word.length - 1) < FIRST_ASIAN_LETTER) return word;
  for (const form of ATTACHED) {
    if (word.length <= form.length) continue;
    if (word.endsWith(form)) return word.slice(0, -form.length);
    if (word.startsWith(form)) return word.slice(form.length);
  }
  return word;
}
