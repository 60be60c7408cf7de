/**
 * See `payPerCallTenant`. No other id begins like it, because ids begin with their time (RFC 9562,
 * 5.7).
 */
export const PAY_PER_CALL_TENANT_ID = '00000000-0000-8000-8000-000000000402';
