import { sniffKind } from './sniff-kind.js';

describe('sniffKind', () => {
  it.each<[string, string | null, string]>([
    ['<p>x', 'text/html; charset=utf-8', 'html'],
    ['anything', 'text/html', 'html'],
    ['', 'text/html', 'html'],
    ['<html>', 'application/xhtml+xml', 'html'],
    ['<?xml version="1.0"?><html xmlns="x">', 'application/xml', 'html'],
    ['<?xml version="1.0"?><rss>', 'text/xml', 'xml'],
    ['<feed>', 'application/atom+xml', 'xml'],
    ['{}', 'application/json', 'json'],
    ['{}', 'application/ld+json', 'json'],
    ['body{}', 'text/css', 'text'],
    ['x=1', 'application/javascript', 'text'],
    ['# md', 'text/markdown', 'text'],
    ['<p>shown as text', 'text/plain', 'text'],
    ['<!DOCTYPE html><p>', null, 'html'],
    ['\n <!-- c --><div>', 'application/octet-stream', 'html'],
    ['<?xml version="1.0"?><feed>', null, 'xml'],
    ['<urlset xmlns="x">', '', 'xml'],
    [' {"a":1}', null, 'json'],
    ['[1, 2]', null, 'json'],
    ['[link] plain words', null, 'text'],
    ['plain words', null, 'text'],
    ['%PDF-1.7', 'text/html', 'binary'],
    ['x', 'application/pdf', 'binary'],
    ['x', 'image/png', 'binary'],
    ['<svg>', 'image/svg+xml', 'xml'],
    ['\0\x01\x02', null, 'binary'],
    ['\0\0\0\0\0\0\0\0\0\0<html>', 'text/html', 'binary'],
    ['<html>stray \x01 byte', 'text/html', 'html'],
  ])('%j sent as %s is %s', (body, contentType, kind) => {
    expect(sniffKind(Buffer.from(body, 'latin1'), contentType)).toBe(kind);
  });

  it('reads UTF-16 with a mark as text, not as binary', () => {
    const body = Buffer.from('\ufeff<html><p>hello', 'utf16le');
    expect(sniffKind(body, null)).toBe('html');
  });
});
