/** UTF-16 being written. No legacy encoding makes more units of a text than it has bytes. */
export class Units {
  private readonly units: Uint16Array;
  private length = 0;

  constructor(bytes: number) {
    this.units = new Uint16Array(bytes);
  }

  /** One code unit. */
  put(unit: number): void {
    this.units[this.length++] = unit;
  }

  /** U+FFFD: bytes that encode nothing. */
  putError(): void {
    this.put(0xfffd);
  }

  toString(): string {
    return Buffer.from(this.units.buffer, 0, 2 * this.length).toString('utf16le');
  }
}
