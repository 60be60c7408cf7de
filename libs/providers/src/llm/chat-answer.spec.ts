import { readChatAnswer, readRefusal } from './chat-answer.js';

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}`;
const WHOLE = { text: 'Hello', thoughts: '', ending: 'whole', usage: null };

describe('an answer of a model server', () => {
  it.each<[string, string, object | null]>([
    [
      'events',
      [chunk({ content: 'Hel' }), chunk({ content: 'lo' }, 'stop'), 'data: [DONE]', ''].join(
        '\n\n',
      ),
      WHOLE,
    ],
    [
      'events with CRLF',
      [chunk({ content: 'Hel' }), chunk({ content: 'lo' }, 'stop'), ''].join('\r\n\r\n'),
      WHOLE,
    ],
    [
      'events without a space',
      chunk({ content: 'Hello' }, 'stop').replace('data: ', 'data:'),
      WHOLE,
    ],
    [
      'comments, names and empty lines',
      `: hi\n\n\n\nevent: message\nid: 1\n${chunk({ content: 'Hello' }, 'stop')}\n\n`,
      WHOLE,
    ],
    [
      'an event over several lines',
      'data: {"choices": [{"delta":\ndata: {"content": "Hello"}, "finish_reason": "stop"}]}\n\n',
      WHOLE,
    ],
    [
      'a stream that ends without a reason',
      `${chunk({ content: 'Hello' })}\n\ndata: [DONE]\n\n`,
      WHOLE,
    ],
    [
      'one object',
      '{"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}',
      WHOLE,
    ],
    [
      'one object after white space that held the line',
      '\n\n  {"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}',
      WHOLE,
    ],
    [
      'usage in the last chunk',
      `${chunk({ content: 'Hello' }, 'stop')}\n\ndata: {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 1}}`,
      { ...WHOLE, usage: { inputTokens: 3, outputTokens: 1 } },
    ],
    [
      'usage null until then',
      `data: {"choices": [{"delta": {"content": "Hello"}, "finish_reason": "stop"}], "usage": null}`,
      WHOLE,
    ],
    [
      'usage that is no count',
      '{"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": -1, "completion_tokens": "x"}}',
      WHOLE,
    ],
    [
      'thoughts beside it',
      [
        chunk({ reasoning_content: 'Hm' }),
        chunk({ reasoning: '!' }),
        chunk({ content: 'Hello' }, 'stop'),
      ].join('\n\n'),
      { ...WHOLE, thoughts: 'Hm!' },
    ],
    [
      'half a stream',
      `${chunk({ content: 'Hello' })}\n\n${chunk({ content: ' you' }).slice(0, 30)}`,
      { ...WHOLE, ending: 'broken' },
    ],
    [
      'an error on the way',
      `${chunk({ content: 'Hello' })}\n\ndata: {"error": {"message": "died", "code": 500}}\n\ndata: [DONE]`,
      { ...WHOLE, ending: 'broken' },
    ],
    [
      'an error instead',
      'data: {"error": "overloaded"}\n\n',
      { ...WHOLE, text: '', ending: 'broken' },
    ],
    ['an answer at its bound', chunk({ content: 'Hello' }, 'length'), { ...WHOLE, ending: 'cut' }],
    ['a filter', chunk({ content: 'Hello' }, 'content_filter'), { ...WHOLE, ending: 'refused' }],
    [
      'a refusal',
      '{"choices": [{"message": {"content": null, "refusal": "No."}, "finish_reason": "stop"}]}',
      { ...WHOLE, text: '', ending: 'refused' },
    ],
    ['a page', '<html>Bad gateway</html>', null],
    ['another object', '{"success": true}', null],
    ['nothing', '', null],
    ['a list', '[1]', null],
  ])('is read from %s', (_what, body, answer) => {
    expect(readChatAnswer(body)).toEqual(answer);
  });
});

describe('an error of a model server', () => {
  it.each([
    [
      'OpenAI',
      '{"error": {"message": "No x", "type": "invalid_request_error", "param": "x", "code": "bad"}}',
      'No x x bad',
      'bad',
    ],
    [
      'older vLLM',
      '{"object": "error", "message": "Too long", "type": "BadRequestError", "code": 400}',
      'Too long 400',
      null,
    ],
    [
      'FastAPI',
      '{"detail": [{"loc": ["body", "temperature"], "msg": "extra"}]}',
      '[{"loc":["body","temperature"],"msg":"extra"}]',
      null,
    ],
    ['Ollama', '{"error": "model not found"}', 'model not found', null],
    ['a gateway', 'upstream down', 'upstream down', null],
  ])('is read as %s words it', (_who, body, words, code) => {
    expect(readRefusal(body)).toEqual({ words, code });
  });
});
