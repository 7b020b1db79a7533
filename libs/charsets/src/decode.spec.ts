import { describe, expect, it } from '@jest/globals';
import { decodeLoosely, decodeText, UnknownCharset } from './index.js';

/** Bytes of a text in a charset with one byte for each character. */
const encode = (text: string, charset: string): Uint8Array => {
  const decoder = new TextDecoder(charset);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte), { stream: true }), byte]),
  );
  return Uint8Array.from(text, (character) => {
    const byte = bytes.get(character);
    if (byte === undefined) throw new Error(`${charset} has no ${character}`);
    return byte;
  });
};

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

const samples: readonly (readonly [charset: string, text: string, bytes: Uint8Array])[] = [
  ...(
    [
      ['windows-1250', 'Łukasz prosi o zwrot pieniędzy'],
      ['windows-1251', 'Возврат денег занимает девять дней'],
      ['windows-1252', 'Le reçu coûte 5 € à l’hôtel'],
      ['windows-1253', 'Η επιστροφή χρημάτων'],
      ['windows-1254', 'Para iadesi dokuz iş günü sürer'],
      ['windows-1255', 'החזר כספי'],
      ['windows-1256', 'استرداد الأموال'],
      ['windows-1257', 'Pinigų grąžinimas'],
      ['iso-8859-1', 'La devolución del señor Núñez'],
      ['iso-8859-2', 'Příliš žluťoučký kůň'],
      ['iso-8859-15', 'Un cœur à 5 €'],
      ['koi8-r', 'Возврат денег'],
      ['ibm866', 'Возврат денег'],
      ['macintosh', 'Größe und Übergröße'],
    ] as const
  ).map(([charset, text]) => [charset, text, encode(text, charset)] as const),
  ['shift_jis', '返金', hex('95d48be0')],
  ['gbk', '退款', hex('cdcbbfee')],
  ['gb18030', '退款', hex('cdcbbfee')],
  ['big5', '退款', hex('b068b4da')],
  ['euc-kr', '환불', hex('c8afbad2')],
  ['euc-jp', '返金', hex('cad6b6e2')],
];

describe('decodeText', () => {
  it.each(samples)('obeys a declared %s', (charset, text, bytes) => {
    expect(decodeText(bytes, { contentType: `text/plain; charset="${charset.toUpperCase()}"` })).toBe(text);
    const page = Buffer.concat([Buffer.from(`<!doctype html><meta charset=${charset}><p>`), bytes]);
    expect(decodeText(page)).toContain(text);
  });

  it.each(samples)('refuses %s without a declaration', (_, __, bytes) => {
    expect(() => decodeText(bytes)).toThrow(UnknownCharset);
    expect(() => decodeText(bytes, { contentType: 'text/plain' })).toThrow(/not UTF-8.*Save it as UTF-8/);
  });

  it('reads UTF-8, and skips byte order marks', () => {
    const text = '{"name":"Łukasz Müller 返金"}';
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    expect(decodeText(Buffer.from(text))).toBe(text);
    expect(decodeText(Buffer.from(`\uFEFF${text}`))).toBe(text);
    expect(decodeText(little)).toBe(text);
    expect(decodeText(Buffer.from(little).swap16())).toBe(text);
    expect(decodeText(Buffer.from(text, 'utf16le'))).toBe(text);
    expect(decodeText(Buffer.from(text, 'utf16le').swap16())).toBe(text);
    expect(decodeText(Buffer.alloc(0))).toBe('');
  });

  it('believes a byte order mark more than a declaration', () => {
    expect(decodeText(Buffer.from('\uFEFFä'), { contentType: 'text/plain; charset=iso-8859-1' })).toBe('ä');
  });

  it('believes a declaration of the server more than one of the page', () => {
    const page = Buffer.concat([Buffer.from('<meta charset=koi8-r><p>'), encode('Привет', 'windows-1251')]);
    expect(decodeText(page, { contentType: 'text/html; charset=windows-1251' })).toContain('Привет');
  });

  it('reads the encoding of an XML declaration', () => {
    const xml = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>'),
      encode('Привет', 'windows-1251'),
    ]);
    expect(decodeText(xml)).toContain('Привет');
  });

  it('takes no declaration from a text that quotes one', () => {
    const text = 'Write <meta charset=koi8-r> for Größe';
    expect(decodeText(Buffer.from(text))).toBe(text);
  });

  it('reads a text without a declaration where all charsets for its alphabet agree', () => {
    const text = 'Größe und Übergröße, in Höhe von zwölf Euro, José';
    expect(decodeText(Buffer.from(text, 'latin1'))).toBe(text);
  });

  it('refuses two charsets in one text', () => {
    expect(() => decodeText(Buffer.concat([Buffer.from('Größe '), Buffer.from('Größe', 'latin1')]))).toThrow(
      UnknownCharset,
    );
  });

  it('names a declared charset that it does not know, or that the bytes are not in', () => {
    expect(() => decodeText(hex('ff41'), { contentType: 'text/plain; charset=klingon' })).toThrow(
      /"klingon"/,
    );
    expect(() => decodeText(hex('82'), { contentType: 'text/plain; charset=shift_jis' })).toThrow(
      /"shift_jis"/,
    );
    expect(decodeText(Buffer.from('Größe'), { contentType: 'text/plain; charset=klingon' })).toBe('Größe');
  });

  it('leaves out the incomplete character at the end of a cut text', () => {
    expect(decodeText(Buffer.from('aä').subarray(0, 2), { isCut: true })).toBe('a');
    expect(() => decodeText(Buffer.from('aä').subarray(0, 2))).toThrow(UnknownCharset);
  });
});

it('decodeLoosely shows what can be read', () => {
  expect(decodeLoosely(hex('41ff'))).toBe('A\uFFFD');
  expect(decodeLoosely(Buffer.from('\uFEFFä'))).toBe('ä');
});
