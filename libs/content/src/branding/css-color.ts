/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/**
 * The colour that a CSS value is or starts with (`#fff url(x)`, the first stop of a gradient) as
 * `#rrggbb`; undefined when it has none, or one that is half transparent or more.
 */
export function firstColor(value: string): string | undefined {
  const text = value.toLowerCase().replace(URLS, ' ');
  COLOR.lastIndex = 0;
  for (let match = COLOR.exec(text); match !== null; match = COLOR.exec(text)) {
    const [, hex, call, input, name] = match;
    const rgb =
      hex === undefined
        ? call === undefined || input === undefined
          ? namedColor(name ?? '')
          : calledColor(call, input)
        : hexColor(hex);
    if (rgb === null) return undefined;
    if (rgb !== undefined) return toHex(rgb);
  }
  return undefined;
}

/** As long as a value may be: MAX_CSS_VALUE_CHARS. */
const URLS = /url\([^)]{0,2048}\)/g;

/** {@link firstColor}, also of bare numbers as in `--primary: 222 47% 11%`. */
export function colorOfProperty(value: string): string | undefined {
  const bare = /^\s*[\d.]+(?:deg)?[\s,]+([\d.]+)(%?)[\s,]+[\d.]+(%?)\s*$/.exec(value);
  if (bare === null) return firstColor(value);
  if (bare[2] === '%' && bare[3] === '%') return firstColor(`hsl(${value})`);
  return bare[2] === '' && bare[3] === '' ? firstColor(`rgb(${value})`) : undefined;
}

/** How far apart the channels of a colour are, 0 (grey) to 255. */
export function chroma(hex: string): number {
  const channels = channelsOf(hex);
  return Math.max(...channels) - Math.min(...channels);
}

/** Relative luminance (WCAG 2), 0 (black) to 1. */
export function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(hex).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

const COLOR =
  /#([\da-f]{3,8})\b|\b(rgba?|hsla?|hwb|oklch|oklab|lch|lab)\(([^()]{0,100})\)|(?<![\w-])([a-z]{3,22})(?![\w(-])/g;

/** Null: too transparent to count, so nothing behind it in the value does either. */
type Found = Rgb | null | undefined;

function hexColor(hex: string): Found {
  if (hex.length !== 3 && hex.length !== 4 && hex.length !== 6 && hex.length !== 8) {
    return undefined;
  }
  const full = hex.length < 5 ? [...hex].map((digit) => digit + digit).join('') : hex;
  if (full.length === 8 && Number.parseInt(full.slice(6), 16) < 128) return null;
  return channelsOf(`#${full.slice(0, 6)}`);
}

function namedColor(name: string): Found {
  if (name === 'transparent') return null;
  const hex = NAMED_COLORS.get(name);
  return hex === undefined ? undefined : channelsOf(`#${hex}`);
}

function calledColor(call: string, input: string): Found {
  const parts = input.split(/[\s,/]+/).filter((part) => part !== '');
  const [first, second, third, alpha] = parts;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  if (alpha !== undefined && scaled(alpha, 1) < 0.5) return null;
  const rgb = convert(call, [first, second, third]);
  return rgb.every((channel) => Number.isFinite(channel)) ? rgb : undefined;
}

function convert(call: string, [a, b, c]: readonly [string, string, string]): Rgb {
  switch (call) {
    case 'rgb':
    case 'rgba':
      return [scaled(a, 255), scaled(b, 255), scaled(c, 255)];
    case 'hsl':
    case 'hsla':
      return hslColor(degrees(a), scaled(b, 1, 100), scaled(c, 1, 100));
    case 'hwb':
      return hwbColor(degrees(a), scaled(b, 1, 100), scaled(c, 1, 100));
    case 'oklch':
      return oklabColor(scaled(a, 1), ...polar(scaled(b, 0.4), degrees(c)));
    case 'oklab':
      return oklabColor(scaled(a, 1), scaled(b, 0.4), scaled(c, 0.4));
    case 'lch':
      return labColor(scaled(a, 100), ...polar(scaled(b, 150), degrees(c)));
    default:
      return labColor(scaled(a, 100), scaled(b, 125), scaled(c, 125));
  }
}

/** A number, or a percentage of `whole`; plain numbers are divided by `per`. */
function scaled(text: string, whole: number, per = 1): number {
  if (text === 'none') return 0;
  const number = Number.parseFloat(text);
  return text.endsWith('%') ? (number / 100) * whole : number / per;
}

function degrees(text: string): number {
  const number = text === 'none' ? 0 : Number.parseFloat(text);
  if (text.endsWith('turn')) return number * 360;
  return text.endsWith('grad') ? number * 0.9 : text.endsWith('rad') ? toDegrees(number) : number;
}

const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

function polar(amount: number, angle: number): [number, number] {
  const radians = (angle * Math.PI) / 180;
  return [amount * Math.cos(radians), amount * Math.sin(radians)];
}

function hslColor(hue: number, saturation: number, lightness: number): Rgb {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const at = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

function hwbColor(hue: number, white: number, black: number): Rgb {
  const sum = Math.max(1, white + black);
  const [red, green, blue] = hslColor(hue, 1, 0.5);
  const mix = (channel: number): number =>
    channel * Math.max(0, 1 - white - black) + (255 * white) / sum;
  return [mix(red), mix(green), mix(blue)];
}

/** Oklab (Ottosson) to sRGB; what does not fit is clipped. */
function oklabColor(lightness: number, a: number, b: number): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** CIE Lab (D50) to sRGB. */
function labColor(lightness: number, a: number, b: number): Rgb {
  const fy = (lightness + 16) / 116;
  const cube = (value: number): number =>
    value ** 3 > 216 / 24_389 ? value ** 3 : (116 * value - 16) / (24_389 / 27);
  const x = 0.9642956764 * cube(fy + a / 500);
  const y = cube(fy);
  const z = 0.8251046025 * cube(fy - b / 200);
  return [
    gamma(3.1341358529 * x - 1.6173863321 * y - 0.490661946 * z),
    gamma(-0.9787954765 * x + 1.9162543773 * y + 0.0334427339 * z),
    gamma(0.07195538 * x - 0.2289768264 * y + 1.4053860351 * z),
  ];
}

function gamma(linear: number): number {
  const share = Math.max(0, Math.min(1, linear));
  return 255 * (share <= 0.0031308 ? 12.92 * share : 1.055 * share ** (1 / 2.4) - 0.055);
}

function toHex(rgb: Rgb): string {
  const digits = rgb.map((channel) => {
    return Math.max(0, Math.min(255, Math.round(channel)))
      .toString(16)
      .padStart(2, '0');
  });
  return `#${digits.join('')}`;
}

/** The named colours of CSS Color 4 (6.1), system colours apart. */
const NAMED_COLORS: ReadonlyMap<string, string> = new Map(
  (
    'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 ' +
    'blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 ' +
    'chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b ' +
    'darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b ' +
    'darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f ' +
    'darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 ' +
    'deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 ' +
    'fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f ' +
    'grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa ' +
    'lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff ' +
    'lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a ' +
    'lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de ' +
    'lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa ' +
    'mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee ' +
    'mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa ' +
    'mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 ' +
    'orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 ' +
    'papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 ' +
    'red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 ' +
    'seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa ' +
    'springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee ' +
    'wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, index) => {
      if (index % 2 === 0) pairs.push([word, '']);
      else pairs[pairs.length - 1] = [pairs.at(-1)?.[0] ?? '', word];
      return pairs;
    }, []),
);
