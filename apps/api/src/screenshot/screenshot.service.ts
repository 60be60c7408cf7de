import { Injectable } from '@nestjs/common';
import {
  PLAN_LIMITS,
  ApiError,
  type ImageRef,
  type ScreenshotReply,
  type ScreenshotTask,
  type BrowserCookie,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  isCharged,
  releaseDaily,
  reserveDaily,
  utcDay,
  CreditCharges,
  CREDIT_COSTS,
  type Tenant,
  type CreditUse,
  type ChargeIds,
} from '@app/accounts';
import { FetcherCall } from '../fetchers/fetcher-call.js';
import { ImageLinks } from '../fetchers/image-links.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { dayUsedUp } from '../accounts/limits/day-used-up.js';
import { InjectRuntime } from '../runtime.token.js';
import {
  DEFAULT_WIDTH_PX,
  MAX_MOBILE_WIDTH_PX,
  MOBILE_WIDTH_PX,
  type ScreenshotRequest,
  type ScreenshotResult,
} from './screenshot.dto.js';

const MAX_COOKIES = 100;
const MAX_PART_CHARS = 4_096;

/**
 * JSON array text of cookie objects with name, value and domain (specification: POST /v1/screenshot);
 * a `path` is accepted too.
 * @throws ApiError
 */
export function parseCookies(text: string | null | undefined): readonly BrowserCookie[] {
  const json = (text ?? '').trim();
  if (json === '') return [];
  const list = parseJson(json);
  if (!Array.isArray(list)) throw problem('must be JSON array text of objects');
  if (list.length > MAX_COOKIES) throw problem(`may hold at most ${MAX_COOKIES} cookies`);
  return list.map(parseCookie);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problem(
      'must be JSON array text, such as [{"name":"a","value":"b","domain":"example.com"}]',
    );
  }
}

function parseCookie(value: unknown, index: number): BrowserCookie {
  const {
    name,
    value: text,
    domain,
    path = '/',
  } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (!isPart(name, /^[^\s=;,]+$/)) throw problem(`[${index}] needs a name`);
  if (!isPart(text, /^[^\r\n;]*$/)) throw problem(`[${index}] needs a value`);
  // RFC 6265bis 5.7: browsers reject longer ones.
  if (name.length + text.length > MAX_PART_CHARS)
    throw problem(
      `[${index}] is longer than ${MAX_PART_CHARS} characters, name and value together`,
    );
  if (!isPart(domain, /^\.?[A-Za-z0-9.:[\]-]+$/)) throw problem(`[${index}] needs a domain`);
  if (!isPart(path, /^\/[^\r\n;]*$/))
    throw problem(`[${index}] has a path that does not begin with /`);
  return { name, value: text, domain, path };
}

function isPart(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && value.length <= MAX_PART_CHARS && pattern.test(value);
}

function problem(what: string): ApiError {
  return new ApiError('invalid_request', { problem: `\`cookies\` ${what}` });
}

const DEFAULT_WAIT_MS = 1_000;

type Shown = Extract<ScreenshotReply, { kind: 'image' }>;

/** The caller of a screenshot, and its chargeId. */
export interface ScreenshotCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

export interface ScreenshotAnswer extends CreditUse {
  readonly result: ScreenshotResult;
}

@Injectable()
export class ScreenshotService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'log'>,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly images: ImageLinks,
    private readonly charges: CreditCharges,
  ) {}

  async shoot(body: ScreenshotRequest, call: ScreenshotCall): Promise<ScreenshotAnswer> {
    const { tenant } = call;
    const task = this.toTask(body, tenant, call.requestId);
    this.targets.parse(body.url);
    const charge = { ...call, operation: 'screenshot' } as const;
    const credits = CREDIT_COSTS.screenshot;
    // A request without credits does not use up the day's quota.
    const { value, ...spent } = await this.charges.charged(charge, credits, async () => {
      return { value: await this.take(task, call), credits, costMicroUsd: 0 };
    });
    const { url, statusCode, widthPx, heightPx, isClipped, latencyMs, image } = value;
    const result = {
      url,
      ...(statusCode === undefined ? {} : { statusCode }),
      width: widthPx,
      height: heightPx,
      ...(isClipped ? { clipped: true } : {}),
      format: task.shot.format,
      latencyMs,
      dailyLimit: PLAN_LIMITS[tenant.plan].screenshotsPerDay,
      ...(await this.presentImage(image)),
    };
    return { result, ...spent };
  }

  private async take(
    task: ScreenshotTask,
    { tenant, chargeId, requestId, signal }: ScreenshotCall,
  ): Promise<Shown> {
    const take = async (): Promise<Shown> =>
      imageOf(await this.fetchers.request('screenshot', task, signal), task.url);
    // A retry after a lost response counts once, in the day's quota and in credits.
    const isCounted = chargeId !== requestId && (await isCharged(this.runtime.database, chargeId));
    return isCounted ? take() : this.withinQuota(tenant, take);
  }

  private toTask(body: ScreenshotRequest, tenant: Tenant, requestId: string): ScreenshotTask {
    const waitForMs = body.waitFor ?? DEFAULT_WAIT_MS;
    return {
      requestId,
      tenantId: tenant.id,
      plan: tenant.plan,
      url: body.url,
      shot: {
        fullPage: body.fullPage ?? true,
        widthPx: parseWidth(body),
        mobile: body.mobile ?? false,
        element: parseElement(body.element),
        scroll: body.scroll ?? true,
        format: body.format ?? 'png',
      },
      waitForMs,
      cookies: parseCookies(body.cookies),
      upload: this.images.hasStorage,
      deadlineAtMs: Date.now() + this.runtime.settings.scrapeTimeoutMs + waitForMs,
    };
  }

  /** Counts the screenshot in the day's quota before the work, and releases it if there is no image. */
  private async withinQuota<T>(tenant: Tenant, work: () => Promise<T>): Promise<T> {
    const { database, log } = this.runtime;
    const limit = PLAN_LIMITS[tenant.plan].screenshotsPerDay;
    const quota = { tenantId: tenant.id, operation: 'screenshot', day: utcDay() } as const;
    const { ok } = await reserveDaily(database, { ...quota, limit });
    if (!ok) throw dayUsedUp('screenshot_quota', limit, tenant.plan);
    try {
      return await work();
    } catch (error) {
      // The first error is returned; a count that stays too high is reset at midnight.
      await releaseDaily(database, quota).catch((err: unknown) =>
        log.warn({ err, tenantId: tenant.id }, 'a screenshot could not be released from the quota'),
      );
      throw error;
    }
  }

  private async presentImage(
    image: ImageRef,
  ): Promise<{ readonly imageUrl: string } | { readonly base64: string }> {
    return 'key' in image ? { imageUrl: await this.images.urlOf(image) } : { base64: image.base64 };
  }
}

/** Width of the viewport in CSS pixels. @throws ApiError */
function parseWidth({ width, mobile }: ScreenshotRequest): number {
  if (mobile !== true) return width ?? DEFAULT_WIDTH_PX;
  if ((width ?? 0) > MAX_MOBILE_WIDTH_PX)
    throw new ApiError('invalid_request', {
      problem: `\`width\` must be at most ${MAX_MOBILE_WIDTH_PX} with \`mobile\`: a phone is no wider. Omit \`mobile\` for a wider page`,
    });
  return width ?? MOBILE_WIDTH_PX;
}

/** @throws ApiError */
function parseElement(selector: string | null | undefined): string | null {
  if (selector?.trim() === '')
    throw new ApiError('invalid_request', { problem: '`element` is empty' });
  return selector ?? null;
}

function imageOf(reply: ScreenshotReply, url: string): Shown {
  switch (reply.kind) {
    case 'image':
      return reply;
    case 'blocked':
      throw new ApiError('blocked_url', { url });
    case 'unavailable':
      throw new ApiError('screenshot_unavailable', {}, { isPermanent: reply.isPermanent ?? false });
    case 'failed':
      if (reply.isOurs === true)
        throw new ApiError('screenshot_failed', { message: reply.problem });
      throw new ApiError('fetch_failed', { problem: reply.problem }, { body: { url } });
  }
}
