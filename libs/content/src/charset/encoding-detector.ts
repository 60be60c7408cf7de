import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** What `chardetng-wasm` exports: Firefox's detector, written in Rust, behind the functions of wasm-bindgen. */
interface Detector {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly encodingdetector_new: () => number;
  readonly encodingdetector_feed: (self: number, at: number, bytes: number, isLast: 0 | 1) => void;
  readonly encodingdetector_guess: (
    result: number,
    self: number,
    domainAt: number,
    domainBytes: number,
    allowsUtf8: 0 | 1,
  ) => void;
  readonly __wbg_encodingdetector_free: (self: number) => void;
  readonly __wbindgen_add_to_stack_pointer: (bytes: number) => number;
  readonly __wbindgen_malloc: (bytes: number) => number;
  readonly __wbindgen_free: (at: number, bytes: number) => void;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const PACKAGE = 'chardetng-wasm';
/** A text and its length, as wasm-bindgen returns them. */
const RESULT_BYTES = 16;

let loaded: Detector | undefined;

/** Its own JavaScript imports the module in a way that Node 20 and Jest do not know. It can reach nothing outside of itself. */
function load(): Detector {
  const folder = path.dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
  const module = new WebAssembly.Module(readFileSync(`${folder}/dist/chardetng_wasm_bg.wasm`));
  const fail = (): never => {
    throw new Error(`${PACKAGE} failed`);
  };
  const imports = { './chardetng_wasm_bg.js': { __wbindgen_throw: fail } };
  return new WebAssembly.Instance(module, imports).exports as Detector;
}

/**
 * The names of the encodings that bytes are most likely in, one for each domain that the guess allows for; UTF-8 is
 * never among them. Time is linear in the bytes.
 *
 * @param domains a top-level domain in lower case, without a dot; undefined: of no country
 */
export function guessEncodings(
  sample: Uint8Array,
  domains: readonly (string | undefined)[],
): readonly string[] {
  const detector = (loaded ??= load());
  const self = detector.encodingdetector_new();
  // A character that is cut at the end counts neither way.
  detector.encodingdetector_feed(self, ...placed(detector, sample), 0);
  const names = domains.map((domain) => guess(detector, self, domain));
  detector.__wbg_encodingdetector_free(self);
  return names;
}

function guess(detector: Detector, self: number, domain: string | undefined): string {
  const result = detector.__wbindgen_add_to_stack_pointer(-RESULT_BYTES);
  const hint = domain === undefined ? ([0, 0] as const) : placed(detector, Buffer.from(domain));
  detector.encodingdetector_guess(result, self, ...hint, 0);
  const [at = 0, bytes = 0] = new Uint32Array(detector.memory.buffer, result, 2);
  const name = Buffer.from(detector.memory.buffer, at, bytes).toString('latin1').toLowerCase();
  detector.__wbindgen_free(at, bytes);
  detector.__wbindgen_add_to_stack_pointer(RESULT_BYTES);
  return name;
}

/** Copies bytes into the detector's memory; it frees them itself. */
function placed(detector: Detector, bytes: Uint8Array): readonly [at: number, bytes: number] {
  const at = detector.__wbindgen_malloc(bytes.length);
  new Uint8Array(detector.memory.buffer).set(bytes, at);
  return [at, bytes.length];
}
