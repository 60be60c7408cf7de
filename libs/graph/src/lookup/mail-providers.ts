import domains from 'email-providers';

const PROVIDERS: ReadonlySet<string> = new Set(domains);

/** Whether anyone can have a mailbox at a domain, so that it says nothing about a company. */
export function isMailProvider(domain: string): boolean {
  return PROVIDERS.has(domain.toLowerCase());
}
