/** A regular expression taken apart: what its literals, its length and its bounds are read from. */
export type PatternNode =
  | TextNode
  | SetNode
  | AssertNode
  | GroupNode
  | LookNode
  | BackreferenceNode
  | RepeatNode
  | SequenceNode
  | ChoiceNode;

/** Characters as they are: a run of ASCII, or one other. */
export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
}

/** One character of several: a class, `.`, `\d`. */
export interface SetNode {
  readonly kind: 'set';
  readonly source: string;
  /** All of them where they are few, else null. */
  readonly chars: readonly string[] | null;
}

export interface AssertNode {
  readonly kind: 'assert';
  readonly source: '^' | '$' | '\\b' | '\\B';
}

export interface GroupNode {
  readonly kind: 'group';
  /** `(`, `(?:` or `(?<name>`. */
  readonly open: string;
  readonly body: PatternNode;
}

/** Lookahead or lookbehind: takes no characters. */
export interface LookNode {
  readonly kind: 'look';
  readonly open: string;
  readonly body: PatternNode;
}

export interface BackreferenceNode {
  readonly kind: 'backreference';
  readonly source: string;
}

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly of: PatternNode;
  readonly min: number;
  /** Infinity where the pattern gives no end. */
  readonly max: number;
  readonly isLazy: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly items: readonly PatternNode[];
}

export interface ChoiceNode {
  readonly kind: 'choice';
  readonly options: readonly PatternNode[];
}

/** Whether `isSought` holds for the node or anything within it. */
export function hasNode(node: PatternNode, isSought: (one: PatternNode) => boolean): boolean {
  return isSought(node) || childrenOf(node).some((child) => hasNode(child, isSought));
}

function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case 'group':
    case 'look':
      return [node.body];
    case 'repeat':
      return [node.of];
    case 'sequence':
      return node.items;
    case 'choice':
      return node.options;
    case 'text':
    case 'set':
    case 'assert':
    case 'backreference':
      return [];
  }
}
