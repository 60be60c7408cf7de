/**
 * Types of what page-side classes touch. The project is compiled without the DOM's own library: its
 * globals (`name`, `event`, `status` …) would pass as defined everywhere.
 */
export interface PageNode {
  readonly nodeType: number;
}
export interface DomElement extends PageNode {
  readonly localName: string;
}
export interface DomDocument extends PageNode {
  readonly contentType: string;
}
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Realm = Readonly<Record<string, { readonly prototype: object }>>;

/**
 * Reads the DOM past whatever the page did to it. Runs in an isolated world, so prototypes are
 * sound; but `<input name=firstChild>` in a form, or `<img name=body>`, shadow the property of
 * that name in every world. So each property is read by its prototype's own getter.
 *
 * Sent to the page as source: it may refer to nothing outside itself.
 */
export class PageDom {
  private readonly realm = globalThis as unknown as Realm & { readonly document: DomDocument };
  readonly document = this.realm.document;

  private getter<T>(type: string, name: string): (of: object) => T {
    const prototype = this.realm[type]?.prototype ?? {};
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
    return (of) => get?.call(of) as T;
  }

  private method<T>(type: string, name: string): (of: object, ...args: unknown[]) => T {
    const prototype = this.realm[type]?.prototype ?? {};
    const value = Object.getOwnPropertyDescriptor(prototype, name)?.value as
      ((...args: unknown[]) => T) | undefined;
    return (of, ...args) => value?.apply(of, args) as T;
  }

  readonly firstChild = this.getter<PageNode | null>('Node', 'firstChild');
  readonly nextSibling = this.getter<PageNode | null>('Node', 'nextSibling');
  readonly parentNode = this.getter<PageNode | null>('Node', 'parentNode');
  readonly nodeType = this.getter<number>('Node', 'nodeType');
  readonly textContent = this.getter<string | null>('Node', 'textContent');
  readonly baseUri = this.getter<string>('Node', 'baseURI');
  readonly contains = this.method<boolean>('Node', 'contains');
  readonly isConnected = this.getter<boolean>('Node', 'isConnected');
  readonly data = this.getter<string>('CharacterData', 'data');
  readonly localName = this.getter<string>('Element', 'localName');
  readonly namespace = this.getter<string>('Element', 'namespaceURI');
  readonly tagName = this.getter<string>('Element', 'tagName');
  readonly outerHtml = this.getter<string>('Element', 'outerHTML');
  readonly shadowRoot = this.getter<PageNode | null>('Element', 'shadowRoot');
  readonly attributes = this.getter<ArrayLike<{ readonly name: string; readonly value: string }>>(
    'Element',
    'attributes',
  );
  readonly attribute = this.method<string | null>('Element', 'getAttribute');
  readonly setAttribute = this.method<void>('Element', 'setAttribute');
  readonly box = this.method<PageBox>('Element', 'getBoundingClientRect');
  readonly clientRects = this.method<ArrayLike<PageBox>>('Element', 'getClientRects');
  readonly remove = this.method<void>('Element', 'remove');
  readonly matches = this.method<boolean>('Element', 'matches');
  readonly scrollHeight = this.getter<number>('Element', 'scrollHeight');
  readonly clientHeight = this.getter<number>('Element', 'clientHeight');
  readonly queryIn = this.method<ArrayLike<DomElement>>('Element', 'querySelectorAll');
  readonly queryDocument = this.method<ArrayLike<DomElement>>('Document', 'querySelectorAll');
  readonly queryFragment = this.method<ArrayLike<DomElement>>(
    'DocumentFragment',
    'querySelectorAll',
  );
  readonly all = this.method<ArrayLike<DomElement>>('Document', 'getElementsByTagName');
  readonly elementsFromPoint = this.method<readonly DomElement[]>('Document', 'elementsFromPoint');
  readonly root = this.getter<DomElement | null>('Document', 'documentElement');
  readonly body = this.getter<DomElement | null>('Document', 'body');
  readonly scrollingElement = this.getter<DomElement | null>('Document', 'scrollingElement');
  readonly doctype = this.getter<object | null>('Document', 'doctype');
  readonly url = this.getter<string>('Document', 'URL');
  readonly contentType = this.getter<string>('Document', 'contentType');
  readonly readyState = this.getter<string>('Document', 'readyState');
  private readonly frameDocument = this.getter<DomDocument | null>(
    'HTMLIFrameElement',
    'contentDocument',
  );
  private readonly oldFrameDocument = this.getter<DomDocument | null>(
    'HTMLFrameElement',
    'contentDocument',
  );
  /** Of an `iframe` or a `frame`; null where it is of another origin. */
  innerDocument(element: DomElement): DomDocument | null {
    return this.localName(element) === 'frame'
      ? this.oldFrameDocument(element)
      : this.frameDocument(element);
  }
  readonly assignedNodes = this.method<readonly PageNode[]>('HTMLSlotElement', 'assignedNodes');
}
