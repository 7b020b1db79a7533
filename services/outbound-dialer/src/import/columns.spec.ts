import { describe, expect, it } from '@jest/globals';
import { readHeader } from './columns.js';
import { readBytes } from './testing/reading.js';

const fillsOf = (headers: readonly string[], mentioned: readonly string[] = []) =>
  readHeader(headers, {}, new Set(mentioned)).columns.all.map(({ fills }) => fills.join('+'));

describe('the header of a file', () => {
  it.each([
    ['First Name', 'First_Name'],
    ['Prénom', 'Prenom'],
    ['2nd', '_2nd'],
    ['Associated Company (Primary)', 'Associated_Company_Primary'],
    ['E-Mail #1', 'E_Mail_1'],
    ['100 %', '_100'],
    ["Customer's plan", 'Customer_s_plan'],
  ])('%s fills a variable that a text can mention', (header, name) => {
    expect(fillsOf(['phone', header])).toEqual(['', name]);
  });

  it.each(['姓名', 'Имя', 'שם', 'الاسم', '🙂', '???', 'Straße', 'x'.repeat(65), 'x'.repeat(10_000), ' '])(
    '%s fills none, and refuses nothing',
    async (header) => {
      const { outcome, rows, columns } = await readBytes(`phone,${header},name\n+14155550100,a,Zoë\n`);
      expect(outcome.kind).toBe('imported');
      expect(rows[0]?.row.variables).toEqual({ name: 'Zoë' });
      expect(columns?.all.map(({ kind }) => kind)).toEqual(['phone', 'ignored', 'variable']);
      expect(JSON.stringify({ outcome, columns }).length).toBeLessThan(2_000);
    },
  );

  it('numbers a repeated header, and never takes the name of another column for it', () => {
    expect(fillsOf(['phone', 'Notes', 'Notes', 'Notes_2', 'Notes'])).toEqual([
      ...['', 'Notes', 'Notes_3', 'Notes_2', 'Notes_4'],
    ]);
    expect(fillsOf(['phone', 'phone', 'a b', 'a_b', 'x'.repeat(64), 'x'.repeat(64)])).toEqual([
      ...['', 'phone_2', 'a_b', 'a_b_2', 'x'.repeat(64), `${'x'.repeat(62)}_2`],
    ]);
  });

  it('says which columns were renamed, and which fill nothing', () => {
    const { notes } = readHeader(['phone', 'Notes', 'Notes', '姓名', '']).columns;
    expect(notes).toMatchObject([
      { code: 'COLUMN_RENAMED', column: 'Notes_2', message: expect.stringContaining('column C') },
      { code: 'COLUMN_IGNORED', column: null, message: expect.stringMatching(/: D$/) },
    ]);
  });

  it('lets a mapping name a repeated column by its number, and a long or foreign header as it is shown', async () => {
    const long = 'x'.repeat(10_000);
    const { rows, columns } = await readBytes(`phone,Notes,Notes,姓名,${long}\n+14155550100,a,b,c,d\n`, {
      columns: { variables: { second: 'Notes_2', name: '姓名', long: 'x'.repeat(256) } },
    });
    expect(rows[0]?.row.variables).toEqual({ Notes: 'a', second: 'b', name: 'c', long: 'd' });
    expect(columns?.headers.at(-1)).toBe('x'.repeat(256));
  });

  it('keeps the mentioned variables where there are more columns than a call has variables', async () => {
    const headers = Array.from({ length: 300 }, (_, index) => `c${index}`);
    const content = `phone,${headers.join()}\n+14155550100,${headers.map((name) => `${name}!`).join()}\n`;
    const agent = { mentioned: ['c299'], allowedOverrides: [] };
    const { outcome, rows } = await readBytes(content, { agent });
    expect(Object.keys(rows[0]?.row.variables ?? {})).toHaveLength(64);
    expect(rows[0]?.row.variables).toMatchObject({ c0: 'c0!', c62: 'c62!', c299: 'c299!' });
    expect(outcome.report?.warnings).toMatchObject([
      { code: 'COLUMN_IGNORED', message: expect.stringContaining('64 variables: BM, BN') },
    ]);
  });

  it('is read even where the file is refused, so that its columns can be mapped', async () => {
    const missing = await readBytes('Mobil,Kunde\n+14155550100,Zoë\n');
    expect(missing.outcome).toMatchObject({ kind: 'refused', refusal: { code: 'FILE_INVALID' } });
    expect(missing.columns?.headers).toEqual(['Mobil', 'Kunde']);
    const wide = await readBytes(`phone${',c'.repeat(5_000)}\n`);
    expect(wide.outcome).toMatchObject({ refusal: { message: expect.stringContaining('5001 columns') } });
    expect(wide.columns?.headers).toHaveLength(1_000);
  });

  it('lets a text mention an override as a variable too, in its own spelling', () => {
    expect(fillsOf(['phone', 'Language', 'voice_id', 'first_message'], ['Language'])).toEqual([
      ...['', 'language+Language', 'voice_id', ''],
    ]);
  });

  it('has a repeated override as a variable', () => {
    const { all } = readHeader(['phone', 'language', 'Language']).columns;
    expect(all.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      ...['phone phone', 'override language', 'variable language_2'],
    ]);
  });
});
