/** Two letters → name, then the abbreviations of newspapers; territories and the capital included. */
const STATES = `AL Alabama|Ala
AK Alaska
AZ Arizona|Ariz
AR Arkansas|Ark
CA California|Calif|Cal
CO Colorado|Colo
CT Connecticut|Conn
DE Delaware|Del
DC District of Columbia|D.C|Washington DC|Washington D.C
FL Florida|Fla
GA Georgia
HI Hawaii|Hawai'i
ID Idaho
IL Illinois|Ill
IN Indiana|Ind
IA Iowa
KS Kansas|Kan|Kans
KY Kentucky
LA Louisiana
ME Maine
MD Maryland
MA Massachusetts|Mass
MI Michigan|Mich
MN Minnesota|Minn
MS Mississippi|Miss
MO Missouri
MT Montana|Mont
NE Nebraska|Neb|Nebr
NV Nevada|Nev
NH New Hampshire|N.H
NJ New Jersey|N.J
NM New Mexico|N.M|N. Mex
NY New York|N.Y|New York State
NC North Carolina|N.C|N. Carolina
ND North Dakota|N.D|N. Dakota
OH Ohio
OK Oklahoma|Okla
OR Oregon|Ore
PA Pennsylvania|Penn|Penna
RI Rhode Island|R.I
SC South Carolina|S.C|S. Carolina
SD South Dakota|S.D|S. Dakota
TN Tennessee|Tenn
TX Texas|Tex
UT Utah
VT Vermont
VA Virginia
WA Washington|Wash|Washington State
WV West Virginia|W. Va|W.Va
WI Wisconsin|Wis|Wisc
WY Wyoming|Wyo
PR Puerto Rico
GU Guam
VI U.S. Virgin Islands|US Virgin Islands
AS American Samoa
MP Northern Mariana Islands`;

const PROVINCES = `AB Alberta
BC British Columbia
MB Manitoba
NB New Brunswick
NL Newfoundland and Labrador
NS Nova Scotia
NT Northwest Territories
NU Nunavut
ON Ontario
PE Prince Edward Island
QC Quebec|Québec
SK Saskatchewan
YT Yukon`;

const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[.\s]+/g, ' ')
    .trim();

function table(source: string): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const line of source.split('\n')) {
    const code = line.slice(0, 2);
    for (const name of [code, ...line.slice(3).split('|')]) codes.set(keyOf(name), code);
  }
  return codes;
}

const US_STATES = table(STATES);
const CA_PROVINCES = table(PROVINCES);

/** `Texas`, `Tex.`, `US-TX` → `TX`; undefined when there is no such state. */
export function usState(name: string): string | undefined {
  return US_STATES.get(keyOf(name.replace(/^US-/i, '')));
}

/** `Ontario` → `ON`. */
export function canadianProvince(name: string): string | undefined {
  return CA_PROVINCES.get(keyOf(name.replace(/^CA-/i, '')));
}

/** Full names of states, longest first, for patterns. */
export const STATE_NAMES: readonly string[] = STATES.split('\n')
  .map((line) => line.slice(3).split('|')[0] ?? '')
  .sort((a, b) => b.length - a.length);

export const STATE_CODES: readonly string[] = STATES.split('\n').map((line) => line.slice(0, 2));
export const PROVINCE_CODES: readonly string[] = PROVINCES.split('\n').map((line) =>
  line.slice(0, 2),
);
