const NAMES = `US united states|united states of america|usa|u.s.|u.s.a.|us of a|america|estados unidos
CA canada
GB united kingdom|uk|u.k.|great britain|england|scotland|wales|northern ireland
IE ireland|éire
AU australia
NZ new zealand
DE germany|deutschland
AT austria|österreich
CH switzerland|schweiz|suisse|svizzera
FR france
BE belgium|belgique|belgië
NL netherlands|the netherlands|nederland
LU luxembourg
ES spain|españa
PT portugal
IT italy|italia
GR greece
DK denmark|danmark
SE sweden|sverige
NO norway|norge
FI finland|suomi
IS iceland
PL poland|polska
CZ czech republic|czechia
SK slovakia
HU hungary
RO romania
BG bulgaria
HR croatia
SI slovenia
EE estonia
LV latvia
LT lithuania
TR turkey|türkiye
IL israel
AE united arab emirates|uae
SA saudi arabia
EG egypt
ZA south africa
KE kenya
NG nigeria
MA morocco
IN india
PK pakistan
CN china
HK hong kong
TW taiwan
JP japan
KR south korea|korea
SG singapore
MY malaysia
TH thailand
VN vietnam
ID indonesia
PH philippines
MX mexico|méxico
BR brazil|brasil
AR argentina
CL chile
CO colombia
PE peru
CR costa rica
PR puerto rico
JM jamaica
BS bahamas
DO dominican republic`;

const CODES = new Map(
  NAMES.split('\n').flatMap((line) => [
    [line.slice(0, 2).toLowerCase(), line.slice(0, 2)] as const,
    ...line
      .slice(3)
      .split('|')
      .map((name) => [name, line.slice(0, 2)] as const),
  ]),
);

/** ISO 3166-1 alpha-2 where the country is known, else two capital letters or the name as it is. */
export function readCountry(text: string): string | undefined {
  const name = text.replace(/(?:(?<!\s)\s+)?\([A-Z]{2,3}\)\s*$/, '').trim();
  if (name === '' || name.length > 60 || /\d/.test(name)) return undefined;
  return CODES.get(name.toLowerCase()) ?? (/^[a-z]{2}$/i.test(name) ? name.toUpperCase() : name);
}

/** Two letters of a country that is known. */
export const knownCountry = (text: string): string | undefined => CODES.get(text.toLowerCase());
