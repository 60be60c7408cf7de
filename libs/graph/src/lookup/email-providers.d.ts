declare module 'email-providers' {
  /** Domains of mailbox providers, in lower case. */
  const domains: readonly string[];
  export default domains;
}
