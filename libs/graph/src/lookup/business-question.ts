import { phoneNumber } from '@app/company';
import domains from 'email-providers';
import { companyDomain } from '../evidence/company-domain.js';
import type { BusinessQuestion } from './resolve-business.js';

/** Keys of a company as a person writes them. */
export interface WrittenKeys {
  readonly domain?: string;
  readonly email?: string;
  readonly name?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly phone?: string;
  readonly uei?: string;
  readonly license?: string;
}

export interface ReadKeys {
  readonly question: BusinessQuestion;
  /** The domain of the address is that of a mailbox provider and names no company. */
  readonly isMailProvider: boolean;
  /** The address is none. */
  readonly isBadEmail: boolean;
}

/** The keys in the form of the graph; a domain counts more than that of an e-mail address. */
export function readKeys({ domain, email, name, state, zip, ...more }: WrittenKeys): ReadKeys {
  const ofEmail = email === undefined ? null : domainOfEmail(email);
  const isProvider = ofEmail !== null && isMailProvider(ofEmail);
  const own = domain === undefined ? null : companyDomain(domain);
  const key = own ?? (isProvider ? null : ofEmail);
  const phone = more.phone === undefined ? undefined : phoneNumber(more.phone, 'US');
  const place = state?.toUpperCase();
  const question = {
    ...(key === null ? {} : { domain: key }),
    ...(name === undefined ? {} : { name }),
    ...(place === undefined ? {} : { state: place }),
    ...(zip === undefined ? {} : { zip }),
    ...(phone === undefined ? {} : { phone }),
    ...(more.uei === undefined ? {} : { uei: more.uei.toUpperCase() }),
    ...(more.license === undefined || place === undefined
      ? {}
      : { license: licenseKey(place, more.license) }),
  };
  return {
    question,
    isMailProvider: isProvider,
    isBadEmail: email !== undefined && ofEmail === null,
  };
}

/** `CA:12345`: the number without spaces and punctuation. */
export function licenseKey(state: string, number: string): string {
  return `${state.toUpperCase()}:${number.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')}`;
}

function domainOfEmail(email: string): string | null {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1).trim();
  return at < 1 || !host.includes('.') ? null : companyDomain(host);
}

const PROVIDERS: ReadonlySet<string> = new Set(domains);

/** Whether anyone can have a mailbox at a domain, so that it says nothing about a company. */
function isMailProvider(domain: string): boolean {
  return PROVIDERS.has(domain.toLowerCase());
}
