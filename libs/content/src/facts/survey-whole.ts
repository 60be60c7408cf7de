import { showHiddenPage, showNoscript } from '../dom/late-text.js';
import { type ParsedPage } from '../dom/parse-html.js';
import { type PageSurvey, surveyPage } from './read-facts.js';

/**
 * Shows what is only hidden until scripts run. The facts do not contain what is for readers without scripts: a page
 * without text of its own is worth a browser.
 */
export function surveyWhole(page: ParsedPage): PageSurvey {
  const first = surveyPage(page);
  const { visibleChars } = first.facts;
  const isShown = showHiddenPage(page.document, { visibleChars, hiddenChars: first.hiddenChars });
  const survey = isShown ? surveyPage(page) : first;
  showNoscript(page.document, {
    visibleChars: survey.facts.visibleChars,
    hasArticleNoscript: survey.hasArticleNoscript,
  });
  return survey;
}
