import fc from 'fast-check';
import { nameKey, nameKeys } from './name-key.js';

describe('nameKey', () => {
  it.each([
    // United States, Canada
    ['Acme Widgets, Inc.', 'acme widgets'],
    ['Acme Widgets Incorporated', 'acme widgets'],
    ['ACME WIDGETS CORP', 'acme widgets'],
    ['Acme Widgets L.L.C.', 'acme widgets'],
    ['Acme Widgets LLC, a Delaware company', 'acme widgets llc a delaware'],
    ['Wells Dental Care, P.L.L.C.', 'wells dental care'],
    ['Acme Widgets Limited Liability Company', 'acme widgets'],
    ['Ford Motor Co.', 'ford motor'],
    ['First Horizon Bank, N.A.', '1st horizon bank'],
    ['Boulangerie Côté Ltée', 'boulangerie cote'],
    // Britain, Ireland, Australia, India, Singapore
    ['Marks and Spencer P.L.C.', 'marks spencer'],
    ['Blackwood Joinery (Holdings) Limited', 'blackwood joinery holdings'],
    ['Kookaburra Tiles Pty. Ltd.', 'kookaburra tiles'],
    ['Kookaburra Tiles P/L', 'kookaburra tiles'],
    ['Sharma Textiles Pvt. Ltd.', 'sharma textiles'],
    ['Sharma Textiles Private Limited', 'sharma textiles'],
    ['Orchid Trading Pte Ltd', 'orchid trading'],
    ['Orchid Trading Sdn. Bhd.', 'orchid trading'],
    // German
    ['Müller & Söhne GmbH & Co. KG', 'muller sohne'],
    ['Müller und Söhne GmbH', 'muller sohne'],
    ['Bäckerei Huber UG (haftungsbeschränkt)', 'backerei huber'],
    ['Huber Ges.m.b.H.', 'huber'],
    ['Sportfreunde e. V.', 'sportfreunde'],
    ['Weiß Optik e.K.', 'weiss optik'],
    // French, Spanish, Italian, Portuguese
    ['Dupont et Fils S.A.R.L.', 'dupont fils'],
    ['SARL Dupont & Fils', 'dupont fils'],
    ['Luxtrans S. à r.l.', 'luxtrans'],
    ['Construcciones Peña, S.L.U.', 'construcciones pena'],
    ['Hermanos Gómez y Ruiz S. A.', 'hermanos gomez ruiz'],
    ['Grupo Azteca S.A. de C.V.', 'grupo azteca'],
    ['Grupo Azteca, S. de R.L. de C.V.', 'grupo azteca'],
    ['Pastificio Rossi S.p.A.', 'pastificio rossi'],
    ['Pastificio Rossi S.r.l.', 'pastificio rossi'],
    ['Padaria Pão Quente Ltda - ME', 'padaria pao quente'],
    // The Netherlands, the North, Poland
    ['De Vries Bouw B.V.', 'de vries bouw'],
    ['Bergström & Lindqvist Aktiebolag', 'bergstrom lindqvist'],
    ['Nordlys A/S', 'nordlys'],
    ['Nordlys ApS', 'nordlys'],
    ['Kalastaja Oy Ab', 'kalastaja'],
    ['Łódź Meble Sp. z o.o.', 'lodz meble'],
    ['Øresund Kran ASA', 'oresund kran'],
    // Asia
    ['株式会社山田製作所', '山田製作所'],
    ['山田製作所（株）', '山田製作所'],
    ['Yamada Seisakusho Co., Ltd.', 'yamada seisakusho'],
    ['Yamada Seisakusho K.K.', 'yamada seisakusho'],
    ['深圳市华光科技有限公司', '深圳市华光科技'],
    ['주식회사 한빛', '한빛'],
    // Punctuation, "and", numbers, the article
    ["Joe's Pizza", 'joes pizza'],
    ['Joe’s Pizza', 'joes pizza'],
    ['O’Farrell Brothers', 'ofarrell brothers'],
    ['Johnson & Johnson', 'johnson johnson'],
    ['J & J Snack Foods', 'jj snack foods'],
    ['J&J Snack Foods', 'jj snack foods'],
    ['JJ Snack Foods', 'jj snack foods'],
    ['A-1 Plumbing', 'a1 plumbing'],
    ['A One Plumbing', 'a1 plumbing'],
    ['A1 Plumbing', 'a1 plumbing'],
    ['7-Eleven', '7 11'],
    ['Seven Eleven', '7 11'],
    ['Twenty-First Century Homes', '21st century homes'],
    ['21st Century Homes', '21st century homes'],
    ['Fifth Third Bank', '5th 3rd bank'],
    ['The Grill', 'grill'],
    ['Grill, The', 'grill'],
    ['Rock ’n’ Roll Diner', 'rock roll diner'],
    ['I.B.M. Corp.', 'ibm'],
    ['J.P.Morgan Chase', 'jp morgan chase'],
    ['AT&T Inc.', 'at t'],
    // Names in use
    ["Smith Holdings LLC dba Joe's Pizza", 'joes pizza'],
    ["Smith Holdings LLC d/b/a Joe's Pizza", 'joes pizza'],
    ['Jones t/a Castle Cafe', 'castle cafe'],
    ['Newco Inc formerly Oldco LLC', 'newco'],
    ['Luxe Nail Spa', 'luxe nail spa'],
    ['SAS Institute', 'sas institute'],
    ['AB Volvo', 'ab volvo'],
  ])('of %s is %s', (name, key) => {
    expect(nameKey(name)).toBe(key);
  });

  it.each(['', '   ', 'GmbH', 'The Company, Inc.', '***', 'L.L.C.', '株式会社', '\ud800'])(
    'is empty for %j: no name is left',
    (name) => {
      expect(nameKey(name)).toBe('');
    },
  );

  it('keeps apart what differs in a number or a word', () => {
    expect(nameKey('Studio 54')).not.toBe(nameKey('Studio 55'));
    expect(nameKey('Acme Foods')).not.toBe(nameKey('Acme Food Service'));
  });

  it('has at most 100 characters, whole words where it can', () => {
    const key = nameKey('abcdefghi '.repeat(30));
    expect(key).toBe('abcdefghi '.repeat(10).trim());
    expect(nameKey('x'.repeat(10_000))).toBe('x'.repeat(100));
  });

  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom(
      ...'Inc. L.L.C. dba d/b/a aka a k a The and & y twenty one first GmbH S.p.A. A/S 株式会社 (株) '.split(
        ' ',
      ),
      ...['S. à r.l.', ' ', '. ', 'Sp. z o.o.', 'İ', 'ß', 'ς', '\u0301', 'ﷺ', '한', 'が'],
    ),
  );
  const anyName = fc
    .array(fc.tuple(part, fc.constantFrom(' ', '', ', ', '.')), { maxLength: 30 })
    .map((parts) => parts.flat().join(''));

  it('of a key is the key itself', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const key = nameKey(name);
        expect(nameKey(key)).toBe(key);
        expect(key.length).toBeLessThanOrEqual(100);
      }),
      { numRuns: 3_000 },
    );
  });

  it('does not depend on case, accents or a legal form that is added', () => {
    const word = fc.constantFrom('café', 'Bergström', 'Acme', 'Nova', 'señor', '42', 'Huber');
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 5 }), (words) => {
        const name = words.join(' ');
        const key = nameKey(name);
        expect(nameKey(name.toUpperCase())).toBe(key);
        expect(nameKey(name.normalize('NFD'))).toBe(key);
        expect(nameKey(`${name}, L.L.C.`)).toBe(key);
        expect(nameKey(`${name} GmbH & Co. KG`)).toBe(key);
      }),
    );
  });
});

describe('nameKeys', () => {
  it('lists the name in use first and the others behind it', () => {
    expect(nameKeys("Smith Holdings LLC dba Joe's Pizza aka Giuseppe's")).toEqual([
      'joes pizza',
      'smith holdings',
      'giuseppes',
    ]);
    expect(nameKeys('Newco Inc, formerly known as Oldco LLC')).toEqual(['newco', 'oldco']);
  });

  it('lists at most four', () => {
    expect(nameKeys('a1 aka b1 aka c1 aka d1 aka e1 aka f1')).toHaveLength(4);
  });
});
