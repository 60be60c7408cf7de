/** The role that keeps statements to one tenant is missing, or not for this login; the message says what to do. */
export class TenantRoleError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'TenantRoleError';
  }
}
