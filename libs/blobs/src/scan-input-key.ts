/** Pages that wait for a technology scan; whoever asks for the scan deletes them. */
export const SCAN_FOLDER = 'scans/';

/** @param id a UUIDv7: by its time what nobody deleted is found */
export function scanInputKey(tenantId: string, id: string): string {
  return `${SCAN_FOLDER}${tenantId}/${id}.scan`;
}
