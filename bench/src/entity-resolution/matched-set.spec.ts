import { matchSet, wrongClasses } from './matched-set.js';
import { personMatcher } from './persons.js';
import { productMatcher } from './products.js';
import { restaurantMatcher } from './restaurants.js';

describe('matchSet', () => {
  it('counts what was found, missed and wrong, with the reason that decided', () => {
    const rows = [
      { name: 'Kormarix Grill', addr: '100 Main St', phone: '512-234-5678', city: 'austin' },
      { name: 'Kormarix Grill', addr: '100 Main Street', phone: '512/234-5678', city: 'austin' },
      { name: 'Zenith Cafe', addr: '7 Oak Ave', phone: '512-876-5432', city: 'austin' },
      { name: 'Nova Diner', addr: '8 Elm Ave', phone: '512-876-9999', city: 'austin' },
    ];
    const set = {
      name: 'x',
      rows,
      truth: [
        [0, 1],
        [2, 3],
      ] as const,
    };
    const figures = matchSet(set, restaurantMatcher(set));
    expect(figures.all).toMatchObject({ precision: 1, recall: 0.5 });
    expect(figures.candidates).toBe(6);
    expect(wrongClasses(figures.wrong)).toEqual([['missed: name different, phone different', 1]]);
  });

  it('finds persons with a damaged field and names in the wrong order', () => {
    const person = {
      ...{ given_name: 'sarah', surname: 'bruhn', street_number: '44', address_1: 'forbes street' },
      ...{ address_2: 'wintersloe', suburb: 'kellerberrin', postcode: '4510', state: 'vic' },
      ...{ date_of_birth: '19300213', soc_sec_id: '7535316' },
    };
    const damaged = { ...person, given_name: 'bruhn', surname: 'sarah', date_of_birth: '19300231' };
    const other = {
      ...person,
      given_name: 'noah',
      surname: 'hobson',
      soc_sec_id: '1111111',
      date_of_birth: '19700101',
      street_number: '9',
    };
    const set = { name: 'x', rows: [person, damaged, other], truth: [[0, 1]] as const };
    expect(matchSet(set, personMatcher(set)).all).toMatchObject({ precision: 1, recall: 1 });
  });

  it('gives each product its best partner only', () => {
    const rows = [
      { name: 'Linksys EtherFast Switch EZXS88W', description: '', price: '40' },
      { name: 'Netgear ProSafe Router FS105', description: '', price: '50' },
      { name: 'Linksys EtherFast 8-Port Switch EZXS88W', description: '', price: '41' },
      {
        name: 'Linksys EtherFast Switch EZXS88W refurbished used old',
        description: '',
        price: '20',
      },
      { name: 'Sony Camera DSC100', description: '', price: '90' },
    ];
    const set = { name: 'x', rows, secondFrom: 2, truth: [[0, 2]] as const };
    expect(matchSet(set, productMatcher(set)).all).toMatchObject({ precision: 1, recall: 1 });
  });
});
