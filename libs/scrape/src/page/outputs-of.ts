import { JOB_FORMATS, type PageOutputs, type PageShot, type ScrapeTask } from '@app/contracts';

/** The words in which tasks and stored jobs name outputs: processes of two versions read them. */
type RequestedOutputs = Pick<ScrapeTask, 'formats' | 'listing'> &
  Partial<Pick<ScrapeTask, 'includeHtml' | 'cleanHtml' | 'chunks' | 'shot'>>;

/** The outputs that a scrape or a job requests, those of a model excepted. */
export function outputsOf({
  formats,
  listing,
  includeHtml = false,
  cleanHtml = false,
  chunks = false,
  shot = null,
}: RequestedOutputs): PageOutputs {
  const { screenshot, ...named }: { readonly [Format in JobFormat]?: boolean } = Object.fromEntries(
    JOB_FORMATS.map((format) => [format, formats.includes(format)]),
  );
  return {
    ...named,
    ...(includeHtml ? { rawHtml: true } : {}),
    html: cleanHtml,
    listing,
    chunks,
    ...(screenshot ? { screenshot: pictureOf(shot) } : {}),
  };
}

type JobFormat = (typeof JOB_FORMATS)[number];

const SCREENSHOT_WIDTH_PX = 1_280;

/** @param shot null: the first screen of a desktop, as PNG */
function pictureOf(shot: PageShot | null): NonNullable<PageOutputs['screenshot']> {
  const { fullPage, format, quality, viewport } = shot ?? { fullPage: false, format: 'png' };
  return {
    fullPage,
    widthPx: viewport?.widthPx ?? SCREENSHOT_WIDTH_PX,
    ...(viewport ? { heightPx: viewport.heightPx } : {}),
    mobile: false,
    element: null,
    format,
    ...(quality === undefined ? {} : { quality }),
  };
}
