import { DropTask, type Delivery } from '@app/broker';
import {
  Deadline,
  DEFAULT_FETCH_OPTIONS,
  type ReplyEnvelope,
  type ScreenshotReply,
  type ScreenshotTask,
} from '@app/contracts';
import { BlockedUrlError } from '@app/egress';
import {
  isBrowserLost,
  lackOfBrowser,
  runCascade,
  Spend,
  type CascadeOutcome,
  type FetchRequest,
  type FetchRung,
} from '@app/fetch';
import type { Metrics } from '@app/telemetry';
import { observeAttempt, type ImageStore } from '@app/scrape';
import { fitReply, type FitReplyOptions } from './fit-reply.js';

export interface ScreenshotConsumerOptions extends FitReplyOptions {
  readonly rungs: readonly FetchRung[];
  readonly images: ImageStore;
  readonly metrics: Metrics;
  readonly maxBytes: number;
  readonly costCeilingMicroUsd: number;
}

/** Handler of the `screenshot` queue: captures whatever the page shows, also an error page. */
export function screenshotHandler(options: ScreenshotConsumerOptions) {
  return async (delivery: Delivery): Promise<ReplyEnvelope<ScreenshotReply>> => {
    const task = parseScreenshotTask(delivery.task);
    const reply = await shoot(task, delivery.signal, options).catch((error: unknown) => {
      if (error instanceof BlockedUrlError) return { kind: 'blocked', url: task.url } as const;
      throw error;
    });
    // Requeued, or the connection is lost: another fetcher replies.
    delivery.signal.throwIfAborted();
    return fitReply(reply, task, options);
  };
}

async function shoot(
  task: ScreenshotTask,
  signal: AbortSignal,
  { rungs, images, metrics, maxBytes, costCeilingMicroUsd }: ScreenshotConsumerOptions,
): Promise<ScreenshotReply> {
  const startedAt = performance.now();
  const outcome = await runCascade({
    rungs,
    request: toRequest(task, signal, { maxBytes, costCeilingMicroUsd }),
    assess: () => Promise.resolve({ content: null, shortcoming: null, signals: [] }),
    onAttempt: (attempt, page) => observeAttempt(metrics, attempt, page),
  });
  const lack = outcome.kind === 'failed' ? lackOfBrowser(outcome.signals) : null;
  if (lack !== null) return lack;
  if (outcome.kind !== 'served' || !outcome.page.screenshot) {
    const isOurs = outcome.kind === 'failed' && isBrowserLost(outcome.signals);
    return { kind: 'failed', problem: problemOf(outcome), ...(isOurs ? { isOurs } : {}) };
  }
  const { url, statusCode, screenshot } = outcome.page;
  return {
    kind: 'image',
    ...{ url, statusCode },
    widthPx: screenshot.widthPx,
    heightPx: screenshot.heightPx,
    isClipped: screenshot.isClipped ?? false,
    latencyMs: Math.round(performance.now() - startedAt),
    image: await images.keep(screenshot, task),
  };
}

/** Why there is no picture. A page that was served without one had no document for the browser to show. */
function problemOf(outcome: CascadeOutcome<null>): string {
  if (outcome.kind === 'failed') return outcome.problem;
  if (outcome.kind === 'not_modified') return noContent(304);
  const { bytes, statusCode, contentType } = outcome.page;
  if (bytes === 0) return noContent(statusCode);
  const type = contentType?.slice(0, 100) ?? 'none';
  return `Fetch failed: a browser does not show this content type (${type})`;
}

const noContent = (status: number): string =>
  `Fetch failed: the response has no content to show (status ${status})`;

function toRequest(
  task: ScreenshotTask,
  signal: AbortSignal,
  bounds: { readonly maxBytes: number; readonly costCeilingMicroUsd: number },
): FetchRequest {
  return {
    url: new URL(task.url),
    deadline: Deadline.at(task.deadlineAtMs),
    signal,
    maxBytes: bounds.maxBytes,
    options: { ...DEFAULT_FETCH_OPTIONS, waitForMs: task.waitForMs },
    spend: new Spend(bounds.costCeilingMicroUsd),
    onRetryAfter: 'report',
    caller: { tenantId: task.tenantId, isFree: task.plan === 'free' },
    render: {
      screenshot: task.shot,
      removeOverlays: false,
      cookies: task.cookies,
      contextKey: null,
    },
  };
}

function parseScreenshotTask(value: unknown): ScreenshotTask {
  const task = value as Partial<ScreenshotTask> | null;
  const isTask =
    typeof task?.requestId === 'string' &&
    typeof task.tenantId === 'string' &&
    typeof task.url === 'string' &&
    typeof task.shot === 'object' &&
    Array.isArray(task.cookies) &&
    typeof task.deadlineAtMs === 'number';
  if (!isTask) throw new DropTask('not a screenshot task');
  return task as ScreenshotTask;
}
