import { firstFound, type Found, type LayerFields, withoutGaps } from '../listing-values.js';
import { textsOf, type Thing } from '../thing.js';
import { readAddressText } from '../values/address-text.js';
import { unplacedPhone } from '../values/phone.js';
import { addressLine, checkAddress } from '../values/postal-address.js';
import { usState } from '../values/us-states.js';
import { type ChosenEntity } from './choose-entity.js';
import { type PageIdentity, namesCountry } from './page-identity.js';
import { addressValues, readAddress } from './read-contact.js';

/**
 * A phone number and an address of markup that cannot be checked, since nothing says of what
 * country they are. Its author marked them as such, so they are better than none.
 */
export function readAsGiven({ thing }: ChosenEntity, page: PageIdentity): LayerFields {
  return withoutGaps({ phone: phoneAsGiven(thing, page), address: addressAsGiven(thing) });
}

function phoneAsGiven(thing: Thing, page: PageIdentity): Found<string> | undefined {
  const { state, country } = readAddress(thing);
  const isInUs = usState(state?.value ?? '') !== undefined;
  if (country !== undefined || isInUs || namesCountry(page)) return undefined;
  return firstFound(textsOf(thing, 'telephone', 'phone'), ({ text }) => unplacedPhone(text));
}

/** An address in one text, in a notation without known parts. */
function addressAsGiven(thing: Thing): Found<string> | undefined {
  const leaves = addressValues(thing).filter((value) => value.kind === 'leaf');
  return firstFound(leaves, ({ text }) => {
    const line = addressLine(text);
    if (readAddressText(line) !== undefined || !isInParts(line)) return undefined;
    return checkAddress({ address: line }).address;
  });
}

/** Letters, and a number or a comma: a name of a town alone is no address. */
const isInParts = (line: string): boolean => /\p{L}{2}/u.test(line) && /[\d,]/.test(line);
