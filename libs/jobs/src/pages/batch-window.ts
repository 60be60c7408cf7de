/** Waits until enough has come, or a moment has passed. For one waiter at a time. */
export class BatchWindow {
  private onArrival = (): void => {};

  constructor(private readonly isEnough: () => boolean) {}

  /** Something has come. */
  arrived(): void {
    this.onArrival();
  }

  /** Resolves at once when there is enough already. */
  async wait(mostMs: number): Promise<void> {
    if (this.isEnough()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.onArrival = () => {
        if (!this.isEnough()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.onArrival = () => {};
  }
}
