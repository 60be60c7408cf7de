import type { PageBox, PageDom, DomElement } from './page-dom.js';

interface Style {
  readonly position: string;
  readonly zIndex: string;
  readonly overflowY: string;
}
declare const getComputedStyle: (element: DomElement) => Style;
declare const innerWidth: number;
declare const innerHeight: number;

/**
 * Takes consent banners and overlays out of the page: known platforms by their marks, others by where
 * they lie and what they say. An element that holds the page's content stays, whatever it looks like.
 */
export class OverlayRemover {
  /** Roots that consent platforms put into pages. */
  private readonly known = [
    '#onetrust-consent-sdk, #onetrust-banner-sdk, .onetrust-pc-dark-filter',
    '#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay, #CookiebotWidget',
    '#didomi-host, #didomi-popup, #didomi-notice',
    '.qc-cmp2-container, #qc-cmp2-container, .qc-cmp-cleanslate, .qc-cmp-ui-container',
    '#truste-consent-track, #trustarc-banner-overlay, .truste_overlay, .truste_box_overlay, #consent_blackbar',
    '#usercentrics-root, #usercentrics-cmp-ui, #uc-banner-modal',
    '.osano-cm-window, .osano-cm-dialog, .cc-window.cc-banner, .cc-window[role=dialog]',
    '#klaro, .klaro, #cc-main, #cc--main, #iubenda-cs-banner',
    '.cky-consent-container, .cky-overlay, .cky-modal, #cookie-law-info-bar, .cli-modal-backdrop',
    '#cmplz-cookiebanner-container, .cmplz-cookiebanner, #BorlabsCookieBox, #BorlabsCookieBoxWrap',
    '.fc-consent-root, .fc-dialog-overlay, div[id^=sp_message_container_]',
    '#cmpbox, #cmpbox2, #cmpwrapper, #axeptio_overlay, #tarteaucitronRoot, .cookiefirst-root',
    '#termly-code-snippet-support, #_evidon_banner, #lanyard_root, #transcend-consent-manager',
    '#hs-eu-cookie-confirmation, #shopify-pc__banner, #moove_gdpr_cookie_info_bar, #cookie-notice',
    '#cookiescript_injected_wrapper, #cookiescript_injected, #CookieConsent, #gdpr-cookie-message',
  ].join(', ');
  private readonly consentWords =
    /cookie|consent|gdpr|ccpa|privacy|personal data|datenschutz|einwillig|vie privée|traceurs|privacidad|protección de datos|riservatezza|privatsphäre|toestemming|zgod[aęy]|persondata|クッキー|개인정보/i;
  private readonly inviteWords =
    /subscribe|newsletter|sign ?up|join (?:us|our|now)|inbox|% off|discount|disable (?:your )?ad ?block|download (?:the|our) app|abonn|suscr[ií]b|iscriviti|anmelden/i;
  private readonly buttonWords =
    /accept|agree|allow|reject|decline|refuse|got it|\bok\b|okay|understand|dismiss|close|no,? thanks|settings|preferences|subscribe|sign ?up|akzept|zustimm|ablehn|einstellung|schlie(?:ss|ß)en|accepter|refuser|fermer|acept|rechaz|cerrar|accett|rifiut|chiudi|aceit|recus|accepteer|weiger|akceptuj|godkänn|同意|확인|×|✕/i;
  private readonly bodyChars: number;

  constructor(
    _argument: null,
    private readonly dom: PageDom,
  ) {
    const body = dom.body(dom.document);
    this.bodyChars = body ? this.chars(body) : 0;
  }

  /** Number of elements removed. */
  run(): number {
    const known = [...this.list(this.known)].filter((element) => !this.isContent(element));
    for (const element of known) this.dom.remove(element);
    const others = this.candidates().filter((element) => this.isOverlay(element));
    for (const element of others) this.dom.remove(element);
    const removed = known.length + others.length;
    if (removed > 0) this.unlock();
    return removed;
  }

  private list(selector: string): DomElement[] {
    return Array.from(this.dom.queryDocument(this.dom.document, selector));
  }

  /** What lies on top at points all over the viewport, and dialogs wherever they are. */
  private candidates(): readonly DomElement[] {
    const found = new Set<DomElement>();
    for (const x of [0.02, 0.25, 0.5, 0.75, 0.98]) {
      for (const y of [0.01, 0.06, 0.3, 0.5, 0.7, 0.94, 0.99]) {
        const hits =
          this.dom.elementsFromPoint(this.dom.document, x * innerWidth, y * innerHeight) ?? [];
        for (const hit of hits) this.addFloating(found, hit);
      }
    }
    for (const dialog of this.list(
      'dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]',
    )) {
      this.addFloating(found, dialog);
    }
    return [...found];
  }

  /** The outermost box around the element that does not scroll with the page. */
  private addFloating(found: Set<DomElement>, element: DomElement): void {
    let floating: DomElement | null = null;
    const body = this.dom.body(this.dom.document);
    let at: DomElement | null = element;
    while (at !== null && at !== body && this.dom.nodeType(at) === 1) {
      const { position } = getComputedStyle(at);
      if (position === 'fixed' || position === 'sticky') floating = at;
      else if (position === 'absolute' && this.layer(at) >= 100) floating = at;
      at = this.dom.parentNode(at) as DomElement | null;
    }
    if (floating !== null) found.add(floating);
  }

  private isOverlay(element: DomElement): boolean {
    if (this.isContent(element)) return false;
    const text = (this.dom.textContent(element) ?? '').slice(0, 20_000);
    const box = this.dom.box(element);
    const share = this.share(box);
    if (this.consentWords.test(text) && this.hasButton(element)) {
      return share >= 0.2 || this.isAtEdge(box);
    }
    const isOnTop = this.layer(element) >= 10;
    if (!isOnTop || this.chars(element) > 1_500) return false;
    if (this.isModal(element)) return share >= 0.1;
    if (this.inviteWords.test(text) && this.hasButton(element)) return share >= 0.1;
    // The dark sheet behind a dialog.
    return (
      share >= 0.9 &&
      text.trim() === '' &&
      this.dom.queryIn(element, 'canvas, video, img, iframe, svg').length === 0
    );
  }

  /** It says itself that nothing of the page can be used before it is closed. */
  private isModal(element: DomElement): boolean {
    const MODAL =
      'dialog[open], [role=dialog][aria-modal=true], [role=alertdialog][aria-modal=true]';
    return this.dom.matches(element, MODAL) || this.dom.queryIn(element, MODAL).length > 0;
  }

  private hasButton(element: DomElement): boolean {
    const buttons = Array.from(
      this.dom.queryIn(element, 'button, a, [role=button], input[type=submit], input[type=button]'),
    );
    return buttons.some((button) => {
      const label = `${this.dom.textContent(button) ?? ''} ${this.dom.attribute(button, 'aria-label') ?? ''} ${this.dom.attribute(button, 'value') ?? ''}`;
      return label.length < 200 && this.buttonWords.test(label);
    });
  }

  private isContent(element: DomElement): boolean {
    const STAYS = 'html, body, main, article, header, nav, [role=main], [role=navigation]';
    if (this.dom.matches(element, STAYS)) return true;
    if (this.dom.queryIn(element, 'main, article, nav, [role=main]').length > 0) return true;
    return this.chars(element) > 0.5 * this.bodyChars;
  }

  private share({ width, height }: PageBox): number {
    return (width * height) / Math.max(1, innerWidth * innerHeight);
  }

  private isAtEdge({ left, top, width, height }: PageBox): boolean {
    const near = 40;
    return (
      top + height >= innerHeight - near ||
      top <= near ||
      left <= near ||
      left + width >= innerWidth - near
    );
  }

  private layer(element: DomElement): number {
    return Number.parseInt(getComputedStyle(element).zIndex, 10) || 0;
  }

  private chars(element: DomElement): number {
    let chars = (this.dom.textContent(element) ?? '').replace(/\s+/g, '').length;
    for (const unseen of Array.from(
      this.dom.queryIn(element, 'script, style, noscript, template'),
    )) {
      chars -= (this.dom.textContent(unseen) ?? '').replace(/\s+/g, '').length;
    }
    return chars;
  }

  /** Dialogs stop the page from scrolling; without them it may again. */
  private unlock(): void {
    const { document } = this.dom;
    for (const element of [this.dom.root(document), this.dom.body(document)]) {
      if (!element) continue;
      const { overflowY, position } = getComputedStyle(element);
      if (overflowY !== 'hidden' && position !== 'fixed') continue;
      const style = this.dom.attribute(element, 'style') ?? '';
      const free = 'overflow: auto !important; position: static !important';
      this.dom.setAttribute(element, 'style', style === '' ? free : `${style}; ${free}`);
    }
  }
}
