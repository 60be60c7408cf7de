import { classifyIndustry, INDUSTRIES, type CompanyText } from './classify-industry.js';
import { LABELLED_TEXTS } from './labelled-texts.js';
import { TYPE_INDUSTRIES } from './type-industries.js';

const EMPTY: CompanyText = { types: [], title: '', description: '', headings: [], keywords: '' };

describe('the industries', () => {
  it('are at least 60, each once, with six digits and a title', () => {
    const codes = INDUSTRIES.map(({ naics }) => naics);
    expect(codes.length).toBeGreaterThanOrEqual(60);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { naics, title, strong } of INDUSTRIES) {
      expect([naics, title, strong.length]).toEqual([
        expect.stringMatching(/^\d{6}$/),
        expect.stringMatching(/^[A-Z]/),
        expect.any(Number),
      ]);
      expect(strong.length).toBeGreaterThan(0);
    }
  });

  it('hold the code of every type that names one', () => {
    const codes = new Set(INDUSTRIES.map(({ naics }) => naics));
    expect(Object.entries(TYPE_INDUSTRIES).filter(([, code]) => !codes.has(code))).toEqual([]);
  });

  it('share no strong term: each proves one industry', () => {
    const owners = new Map<string, string[]>();
    for (const { naics, strong } of INDUSTRIES)
      for (const term of strong) owners.set(term, [...(owners.get(term) ?? []), naics]);
    expect([...owners].filter(([, codes]) => codes.length > 1)).toEqual([]);
  });
});

describe('classifyIndustry', () => {
  it('is tried on enough texts', () => {
    expect(LABELLED_TEXTS.length).toBeGreaterThanOrEqual(80);
    expect(LABELLED_TEXTS.filter(({ naics }) => naics === null).length).toBeGreaterThanOrEqual(20);
  });

  it.each(LABELLED_TEXTS.map((one) => [one.naics, one.title, one] as const))(
    '%s: %s',
    (naics, _, { title, description, headings = [], types = [] }) => {
      const found = classifyIndustry({ ...EMPTY, title, description, headings, types });
      expect(found?.naics ?? null).toBe(naics);
    },
  );

  it('returns a title and a confidence from 0.5 to 0.95, higher for more evidence', () => {
    const little = classifyIndustry({ ...EMPTY, title: 'Dentist' });
    const much = classifyIndustry({
      ...EMPTY,
      types: ['Dentist'],
      title: 'Dentist',
      description: 'Dental care and dental implants',
      headings: ['Your dentist'],
    });
    expect(little).toEqual({ naics: '621210', title: 'Offices of Dentists', confidence: 0.5 });
    expect(much).toEqual({ naics: '621210', title: 'Offices of Dentists', confidence: 0.95 });
  });

  it.each([
    ['A bakery of user interfaces', 'Fresh components every morning.', []],
    ['The pharmacy of APIs', 'Prescriptions for broken endpoints. Tools for developers.', []],
    ['Gym for your code', 'Train your software.', ['A fitness center for pull requests']],
    ['Pixel Brewery', 'We brew websites.', []],
    ['Museum of bad UX', 'A collection of interfaces that hurt.', []],
    ['Data Kitchen', 'Cook your data pipelines in minutes.', ['A restaurant for data']],
  ])(
    'leaves a digital company open that borrows the name of a trade: %s',
    (title, description, headings) => {
      expect(classifyIndustry({ ...EMPTY, title, description, headings })).toBeUndefined();
    },
  );

  it.each([
    ['a thing for a trade', 'Gym Equipment Repair | Fitness Equipment', 'Gym equipment, repaired.'],
    [
      'a report on a trade',
      'Plumbing Fixtures Report | Market Size',
      'Plumbing market, plumbing fixtures.',
    ],
    ['a policy', 'Pet Insurance for Dogs', 'Veterinarian insurance that pays.'],
    [
      'a course',
      'Graphic Design Course | Morrow Education',
      'Become one: graphic design certificate.',
    ],
    [
      'a school',
      'Digital Marketing Professional - Morrow University',
      'Digital marketing at its best.',
    ],
    ['news', 'Software Development News | The Daily Build', 'Software development for engineers.'],
    [
      'a ranking',
      'Top 10 Moving Companies 2026',
      'Moving company reviews. Moving companies compared.',
    ],
    ['jobs', 'Remote Software Developer Jobs', 'Software development, custom software.'],
    ['a digital firm named for a trade', 'On-premise Pixel Bakery', 'Pixel Bakery builds your UI.'],
  ])('leaves %s open', (_, title, description) => {
    const found = classifyIndustry({ ...EMPTY, title, description, headings: [title] });
    expect(found).toBeUndefined();
  });

  it.each([
    ['484210', 'Professional Moving Company | Get a Quote Online', 'Your local moving company.'],
    ['721110', 'Boutique Hotel Book Direct', 'A boutique hotel by the sea.'],
  ])('believes a company that is booked online: %s, %s', (naics, title, description) => {
    expect(classifyIndustry({ ...EMPTY, title, description })).toMatchObject({ naics });
  });

  it('leaves an article on a trade open, unless a type states the trade', () => {
    const text = { ...EMPTY, title: 'Dentist', description: 'Dental implants by your dentist.' };
    expect(classifyIndustry({ ...text, types: ['BlogPosting'] })).toBeUndefined();
    expect(classifyIndustry({ ...text, types: ['BlogPosting', 'Dentist'] })).toMatchObject({
      naics: '621210',
    });
  });

  it('believes a trade that says more than its name, whatever it runs on', () => {
    const found = classifyIndustry({
      ...EMPTY,
      title: 'Bakery Huber',
      description: 'Bread and cakes of our bakery. Order on our platform.',
      headings: ['The bakery', 'Sourdough bread'],
    });
    expect(found?.naics).toBe('311811');
  });
});
