import { JOB_FORMATS, type PageOutputs, type PageShot, type ScrapeTask } from '@app/contracts';

/** The words in which tasks and stored jobs name outputs: processes of two versions read them. */
type RequestedOutputs = Pick<ScrapeTask, 'formats' | 'listing' | 'fetch'> &
  Partial<
    Pick<ScrapeTask, 'includeHtml' | 'cleanHtml' | 'chunks' | 'filePages' | 'pageMarkers' | 'shot'>
  >;

/** The outputs that a scrape or a job requests, those of a model excepted. */
export function outputsOf({
  formats,
  listing,
  includeHtml = false,
  cleanHtml = false,
  chunks = false,
  filePages = false,
  pageMarkers = false,
  shot = null,
  fetch: { scroll },
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
    ...(filePages ? { filePages } : {}),
    ...(pageMarkers ? { pageMarkers } : {}),
    ...(screenshot ? { screenshot: pictureOf(shot ?? { fullPage: scroll, format: 'png' }) } : {}),
  };
}

type JobFormat = (typeof JOB_FORMATS)[number];

const SCREENSHOT_WIDTH_PX = 1_280;

function pictureOf({
  fullPage,
  format,
  quality,
  viewport,
}: PageShot): NonNullable<PageOutputs['screenshot']> {
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
