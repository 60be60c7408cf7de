import { performance } from 'node:perf_hooks';

const EVERY_MS = 50;
/** Samples that a figure covers. */
const SAMPLES = 4;

/** The part of the last fifth of a second in which the event loop of this process had work. */
export class LoopUse {
  private samples = [performance.eventLoopUtilization()];
  private readonly timer = setInterval(() => this.sample(), EVERY_MS).unref();

  get share(): number {
    return performance.eventLoopUtilization(this.samples[0]).utilization;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    this.samples = [...this.samples, performance.eventLoopUtilization()].slice(-SAMPLES);
  }
}
