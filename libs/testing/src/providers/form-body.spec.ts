import { formText, parseForm } from './form-body.js';

describe('a form', () => {
  it('is nested by the brackets of its names', () => {
    const text =
      'mode=subscription&line_items[0][price]=p_1&line_items[0][quantity]=1&line_items[1][price]=p_2&metadata[tenant_id]=t&empty=';
    const form = parseForm(text);
    expect(form).toEqual({
      mode: 'subscription',
      line_items: [{ price: 'p_1', quantity: '1' }, { price: 'p_2' }],
      metadata: { tenant_id: 't' },
      empty: '',
    });
    expect(formText(form, 'line_items', 1, 'price')).toBe('p_2');
    expect(formText(form, 'metadata')).toBeUndefined();
    expect(formText(form, 'mode', 'x')).toBeUndefined();
    expect(formText(form, 'none', 'x')).toBeUndefined();
  });

  it.each(['a[=1', '[a]=1', 'a]=1', 'a=1&a[b]=2'])('is refused as %j', (text) => {
    expect(() => parseForm(text)).toThrow();
  });
});
