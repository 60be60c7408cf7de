/** The package carries no types. What it finds is spelled its own way (`Street` → `St`). */
declare module 'parse-address' {
  export interface ParsedLocation {
    readonly number?: string;
    readonly prefix?: string;
    readonly street?: string;
    readonly type?: string;
    readonly suffix?: string;
    readonly sec_unit_type?: string;
    readonly sec_unit_num?: string;
    readonly city?: string;
    readonly state?: string;
    readonly zip?: string;
  }
  const parser: {
    parseLocation(address: string): ParsedLocation | null;
    /** Only addresses with a house number; a tenth of the time. */
    parseAddress(address: string): ParsedLocation | null;
  };
  export default parser;
}
