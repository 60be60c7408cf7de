import { companyDomain } from './company-domain.js';

/** Mailboxes that belong to a desk and not to a person, in the main languages. */
const DESKS = new Set(
  `info contact contactus hello hi mail email office team admin reception frontdesk help helpdesk support service
  services customerservice customercare care sales orders order shop store bookings booking reservations reservation
  appointments enquiries enquiry inquiries inquiry general press media marketing billing accounts jobs careers hr
  kontakt buero office post anfrage verkauf vertrieb bestellung contacto hola ventas atencion correo contato ola vendas
  bonjour accueil commercial contatti ciao vendite informazioni posta`.split(/\s+/),
);
const SEPARATORS = /[.\-_]/g;

/** Whether an address is that of a desk at the company's own domain: those of people never enter the graph. */
export function isDeskMailbox(address: string, domain: string): boolean {
  const at = address.lastIndexOf('@');
  if (at < 1) return false;
  const mailbox = address.slice(0, at).toLowerCase().replace(SEPARATORS, '');
  return DESKS.has(mailbox) && companyDomain(address.slice(at + 1)) === domain;
}
