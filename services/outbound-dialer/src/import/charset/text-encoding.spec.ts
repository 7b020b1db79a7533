import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { decoderOf } from './decoder.js';
import { encodingOf } from './text-encoding.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-encodings-'));
afterAll(() => rmSync(directory, { recursive: true }));

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of each letter, by what the decoder makes of each byte and each pair of bytes. */
const tableOf = (encoding: string): ReadonlyMap<string, readonly number[]> => {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const decoder = decoderOf(encoding);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]): void => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes));
      if (!table.has(letter)) table.set(letter, bytes);
    } catch {
      // no letter has these bytes
    }
  };
  for (let lead = 0; lead < 256; lead += 1) add(lead);
  if (/jis|18030|big5|euc/.test(encoding))
    for (let lead = 0x81; lead < 0xff; lead += 1)
      for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  tables.set(encoding, table);
  return table;
};

const encoded = (text: string, encoding: string): Buffer =>
  Buffer.from(
    [...text].flatMap((letter) => {
      const bytes = tableOf(encoding).get(letter);
      if (bytes === undefined) throw new Error(`${encoding} has no ${letter}`);
      return [...bytes];
    }),
  );

const read = async (content: Buffer): Promise<string> => {
  const path = join(directory, 'file');
  writeFileSync(path, content);
  const encoding = await encodingOf(path, content.subarray(0, 4_096));
  return decoderOf(encoding).decode(content);
};

const csv = (names: readonly string[]): string =>
  `phone_number,name\n${names.map((name, index) => `+1415555${1_000 + index},${name}\n`).join('')}`;

/** People as the spreadsheets of their countries have them. */
const people: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': [
    ...['Zoë Müller', 'José Muñoz', 'Hélène Lefèvre', 'François Côté', 'João Conceição', 'Søren Bjørnson'],
    ...['Åsa Öberg', 'Nicolò Rossi', 'Seán O’Brien', 'Anaïs Benoît', '5 € – “ok”', 'García', 'JOSÉ', 'Novák'],
  ],
  'windows-1250': [
    'Łukasz śą',
    'Łukasz Wiśniewski',
    'Małgorzata Żółć',
    'Jiří Dvořáček',
    'Růžena Němcová',
    'Győző Erdős',
  ],
  'windows-1251': ['Сергей Петров', 'Анна Кузнецова', 'Олексій Їжак', 'Юлия Щербакова'],
  'windows-1253': ['Γιάννης Παπαδόπουλος', 'Μαρία Αλεξίου'],
  'windows-1254': ['Şükrü Yılmaz', 'Gökçe Çağlar', 'İbrahim Öztürk'],
  'windows-1255': ['דוד כהן', 'שרה לוי', 'יעקב מזרחי', 'רחל אברהם'],
  'windows-1256': ['محمد علي', 'فاطمة حسن', 'أحمد'],
  'windows-1257': ['Jānis Bērziņš', 'Žydrūnas Šimkus', 'Dovilė Kazlauskienė'],
  'windows-874': ['สมชาย ใจดี', 'สมหญิง'],
  macintosh: ['José Núñez', 'Zoë Müller', 'Hélène Lefèvre'],
  'x-mac-cyrillic': ['Сергей Петров', 'Анна Кузнецова'],
  ibm866: ['Сергей Петров', 'Анна Кузнецова'],
  'koi8-u': ['Сергей Петров', 'Анна Кузнецова'],
  shift_jis: ['山田太郎', '佐藤さくら', '鈴木一郎'],
  gb18030: ['张伟', '王芳', '李娜', '赵敏', '周杰伦', '杨洋'],
  big5: ['陳大文', '李小龍', '王美麗', '張學友', '林志玲'],
  'euc-kr': ['김철수', '이영희', '박지성', '최민호', '정수빈', '강하늘', '조은비', '한예슬'],
};

describe('the encoding of a text', () => {
  it.each(Object.keys(people))('is found for a file in %s', async (encoding) => {
    const text = csv(people[encoding] ?? []);
    expect(await read(encoded(text, encoding))).toBe(text);
  });

  it.each(Object.keys(people))(
    'is right or refused, and never another one, for each name in %s alone',
    async (encoding) => {
      const wrong: string[] = [];
      for (const name of people[encoding] ?? []) {
        const text = csv([name]);
        const found = await read(encoded(text, encoding)).catch((error: Error) => error.message);
        if (found !== text && !found.includes('encoding of the text is not known'))
          wrong.push(`${name}: ${found}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
