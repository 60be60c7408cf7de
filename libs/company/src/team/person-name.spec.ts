import { personName } from './person-name.js';
import { isKnownRole, isRoleAndNoName, roleText } from './role-words.js';

describe('personName', () => {
  it.each([
    ['Anna Lee', 'Anna Lee'],
    ['Anna M. Lee', 'Anna M. Lee'],
    ['J. R. Smith', 'J. R. Smith'],
    ['Jean-Luc Moreau', 'Jean-Luc Moreau'],
    ["Thomas O'Malley", "Thomas O'Malley"],
    ['Siân D’Angelo', 'Siân D’Angelo'],
    ['Étienne de La Rochefoucauld', 'Étienne de La Rochefoucauld'],
    ['Emily van der Meer', 'Emily van der Meer'],
    ['María José Llorente Gil', 'María José Llorente Gil'],
    ['Michael St. James', 'Michael St. James'],
    ['Henry M. Sutton III', 'Henry M. Sutton III'],
    ['William "Bill" Hayes', 'William "Bill" Hayes'],
    ['Dr. Karen Lindqvist, DDS', 'Karen Lindqvist'],
    ['Anjali Mehta, M.D.', 'Anjali Mehta'],
    ['Chidi Eze, BVSc', 'Chidi Eze'],
    ['Robert F. Lang, D.O., FACP', 'Robert F. Lang'],
    ['Sarah Jane Miller RDH', 'Sarah Jane Miller'],
    ['Prof. Dr. med. Klaus-Dieter Wolff', 'Klaus-Dieter Wolff'],
    ['Dipl.-Kffr. Heike Brandt', 'Heike Brandt'],
    ['Jo Lindt (she/her)', 'Jo Lindt'],
    ['ANNA LEE', 'ANNA LEE'],
    ['Анна Иванова', 'Анна Иванова'],
    ['田辺 一郎', '田辺 一郎'],
    ['John Baker', 'John Baker'],
    ['Robert Hall', 'Robert Hall'],
    ['Ronan McKay', 'Ronan McKay'],
    ['LeAnn DeVito', 'LeAnn DeVito'],
  ])('reads %s', (text, name) => {
    expect(personName(text)).toBe(name);
  });

  it.each([
    'About Us',
    'OUR TEAM',
    'Contact',
    'Privacy Policy',
    'Unsere Leistungen',
    'Nuestro Equipo',
    'Chi Siamo',
    'Mentions Légales',
    'Acme Inc',
    'GitHub Copilot',
    'Housing Commission',
    'Northgate Ventures',
    'Market Street',
    'Why Choose Us',
    'anna lee',
    'Anna',
    'Anna lee',
    'Anna & Tom Lee',
    'Anna Lee: CEO',
    'Anna\tLee',
    'Valgrind Documentation',
    'Room 12',
    'Anna Lee!',
    'A. B.',
    'von Anna',
    'The Quick Brown Fox Jumps Over',
    '会社概要',
    '株式会社田辺精密',
    '',
    'A'.repeat(100),
  ])('sees no name in %j', (text) => {
    expect(personName(text)).toBeUndefined();
  });

  it('accepts a given name alone where the caller allows it', () => {
    expect(personName('Dominique', 1)).toBe('Dominique');
    expect(personName('Services', 1)).toBeUndefined();
  });
});

describe('roles', () => {
  it.each([
    ['Founder & CEO', 'Founder & CEO'],
    ['— Owner', 'Owner'],
    ['(Geschäftsführerin)', 'Geschäftsführerin'],
    ['Curator of History (email', 'Curator of History'],
    ['Head Baker | jane@acme.com', 'Head Baker'],
    ['Sales Manager, Tel. (312) 555-0142', 'Sales Manager'],
  ])('are read: %s', (text, role) => {
    expect(roleText(text)).toBe(role);
  });

  it.each([
    'Anna joined us in 2019. She loves canoeing.',
    'Is this the manager?',
    'Best manager ever!',
    'The Quick Guide',
    'struct owner_list',
    '“They believed me, said the director”',
    'The owner is always there',
    'x'.repeat(200),
    '',
  ])('are none: %j', (text) => {
    expect(roleText(text)).toBeUndefined();
  });

  it.each([
    ...[
      'Tax Manager',
      'Projektleiterin',
      'Gérante',
      'Directora médica',
      'Titolare',
      'Tandarts',
      'Radca prawny',
      'VD och grundare',
      'Indehaver',
      '代表取締役社長',
      'Optician',
    ],
  ])('are known by their words: %s', (text) => {
    expect(isKnownRole(text)).toBe(true);
  });

  it.each(['Family', 'Sangiovese, 2020', 'Deadline', 'Anna Lee', 'Contractions'])(
    'are not known: %s',
    (text) => {
      expect(isKnownRole(text)).toBe(false);
    },
  );

  it('are distinguished from names', () => {
    expect(['Tax Manager', 'Nail Technician', 'Lead Estimator'].every(isRoleAndNoName)).toBe(true);
    expect(['John Baker', 'Anna Cook', 'Perry Mason'].some(isRoleAndNoName)).toBe(false);
  });
});
