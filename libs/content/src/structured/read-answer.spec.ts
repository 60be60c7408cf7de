import { readAnswer, withoutThoughts } from './read-answer.js';

describe('the JSON in an answer', () => {
  it.each([
    ['{"a": 1}'],
    ['  \n{"a": 1}\n'],
    ['```json\n{"a": 1}\n```'],
    ['Sure!\n\n```\n{"a": 1}\n```\nAnything else?'],
    ['```json\n{"a": 1}'],
    ['<think>Is it {"a": 2}?</think>\n{"a": 1}'],
    ['<think>\n```json\n{"a": 2}\n```\n</think>\n\n```json\n{"a": 1}\n```'],
    ['Is it {"b": 2}? </think> {"a": 1}'],
    ['The answer is {"a": 1}.'],
  ])('is read from %j', (answer) => {
    expect(readAnswer(answer)).toEqual({ a: 1 });
  });

  it('may itself say what thoughts and fences look like', () => {
    const value = { a: 'x</think>y', b: '```\n{}\n```' };
    expect(readAnswer(JSON.stringify(value))).toEqual(value);
    expect(readAnswer(`\`\`\`json\n${JSON.stringify({ a: '```' })}\n\`\`\``)).toEqual({ a: '```' });
  });

  it.each([
    ['nothing', ''],
    ['prose', 'I found nothing.'],
    ['half', '{"a": 1, "b'],
    ['thoughts alone', '<think>{"a": 1}'],
    ['too many values', `[${'1,'.repeat(60_000)}1]`],
    ['too many levels', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['far too many levels', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
    ['too much text', `"${'x'.repeat(1_000_001)}"`],
  ])('is not read from %s', (_what, answer) => {
    expect(readAnswer(answer)).toBeUndefined();
  });

  it('is no part of the thoughts', () => {
    expect(withoutThoughts('<think>a</think> b')).toBe('b');
    expect(withoutThoughts('b')).toBe('b');
  });
});
