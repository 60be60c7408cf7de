// Parts of css-tree: its entry also loads what CSS allows as values, which takes each thread 0.1 s.
declare module 'css-tree/parser' {
  import { parse } from 'css-tree';
  export default parse;
}

declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree';
}
