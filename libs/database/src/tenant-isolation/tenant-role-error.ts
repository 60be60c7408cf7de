/**
 * The role that limits statements to one tenant is missing, or this login may not use it; the message contains
 * the fix.
 */
export class TenantRoleError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'TenantRoleError';
  }
}
