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
