/** Pages that wait for a technology scan; the requester of the scan deletes them. */
export const SCAN_FOLDER = 'scans/';

/** @param id a UUIDv7: its time identifies leftovers */
export function scanInputKey(tenantId: string, id: string): string {
  return `${SCAN_FOLDER}${tenantId}/${id}.scan`;
}
