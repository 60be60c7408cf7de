import { CliError } from '../cli-error.js';
import { loginFile, readLogin } from './login-file.js';

/** Flags of every command. */
export interface AccessFlags {
  readonly url?: string;
  readonly key?: string;
}

/** A value and where it comes from. */
export interface AccessValue {
  readonly value: string;
  readonly source: string;
  /** In a sentence about the value, such as `TRAWL_URL must be …`. */
  readonly name: string;
}

/** Address and key of a service. */
export interface Access {
  readonly url: AccessValue;
  readonly apiKey: AccessValue;
}

/** Address and key, each from its own source. */
export type FoundAccess = { readonly [Name in keyof Access]: Access[Name] | undefined };

/** Flags win over the environment, which wins over the file of `trawl login`. */
export function findAccess(
  flags: AccessFlags,
  environment: CliEnvironment = readEnvironment(),
): FoundAccess {
  const url = first([flags.url, '--url'], [environment.url, 'TRAWL_URL']);
  const apiKey = first([flags.key, '--key'], [environment.apiKey, 'TRAWL_API_KEY']);
  if (url && apiKey) return { url, apiKey };
  const file = loginFile(environment.configHome);
  const saved = readLogin(file);
  return {
    url: url ?? first([saved?.url, file, `the address in ${file}`]),
    apiKey: apiKey ?? first([saved?.apiKey, file, `the key in ${file}`]),
  };
}

/** @throws CliError that names what is missing */
export function requireAccess(flags: AccessFlags): Access {
  const { url, apiKey } = findAccess(flags);
  if (!url) throw missing('address of Trawl', 'TRAWL_URL', '--url');
  if (!apiKey) throw missing('API key', 'TRAWL_API_KEY');
  return { url, apiKey };
}

function missing(thing: string, variable: string, flag?: string): CliError {
  const ways = flag === undefined ? variable : `${variable} or ${flag}`;
  return new CliError(`no ${thing} is set`, `Run trawl login, or set ${ways}.`);
}

function first(
  ...candidates: readonly (readonly [value: string | undefined, source: string, name?: string])[]
): AccessValue | undefined {
  for (const [value, source, name = source] of candidates)
    if (value) return { value: value.trim(), source, name };
  return undefined;
}

/** Variables that the program reads; empty ones count as unset. The only place that reads the environment. */
export interface CliEnvironment {
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly configHome: string | undefined;
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): CliEnvironment {
  return {
    url: variables['TRAWL_URL'] || undefined,
    apiKey: variables['TRAWL_API_KEY'] || undefined,
    configHome: variables['XDG_CONFIG_HOME'] || undefined,
  };
}
