// Files whose headers do not give the meaning of their columns: a mapping does.
import { describe, expect, it } from '@jest/globals';
import { readBytes, readSome } from './testing/reading.js';

const file = 'Mobil,Name,Stadt,name\n+14155550100,Grace Hopper,Berlin,old\n+14155550101,Ada,,older\n';

describe('a mapping of columns', () => {
  it('names the column of the number, of the callee, and of each placeholder', async () => {
    const columns = { phoneNumber: ' mobil ', name: 'NAME', variables: { city: 'Stadt', town: 'Stadt' } };
    const { rows, columns: read } = await readBytes('Mobil,Name,Stadt\n+14155550100,Grace,Berlin\n', {
      columns,
    });
    expect(rows).toMatchObject([
      {
        phoneNumber: '+14155550100',
        row: { username: 'Grace', variables: { Name: 'Grace', city: 'Berlin', town: 'Berlin' } },
      },
    ]);
    expect(rows[0]?.row.variables).not.toHaveProperty('Stadt');
    expect(read?.all.map(({ kind }) => kind)).toEqual(['phone', 'variable', 'variable']);
  });

  it('decides before a header of the same name does', async () => {
    const { rows } = await readBytes(file, {
      columns: { phoneNumber: 'Mobil', variables: { name: 'Name' } },
    });
    expect(rows.map(({ row }) => row.variables)).toEqual([
      { name: 'Grace Hopper', Stadt: 'Berlin' },
      { name: 'Ada' },
    ]);
  });

  it('lets a column have a header that could be no variable, and a variable have the number itself', async () => {
    const columns = { variables: { note: 'Bemerkung (intern!)', own: 'Phone' } };
    const { rows } = await readBytes('Phone,Bemerkung (intern!)\n+14155550100,x\n', { columns });
    expect(rows).toMatchObject([{ row: { variables: { note: 'x', own: '+14155550100' } } }]);
  });

  it('finds how the columns are separated by the header that it names', async () => {
    const { rows } = await readBytes('Mobil;a,b,c\n+14155550100;x\n', {
      columns: { phoneNumber: 'Mobil', variables: { x: 'a,b,c' } },
    });
    expect(rows).toMatchObject([{ row: { variables: { x: 'x' } } }]);
  });

  it.each([
    [{ phoneNumber: 'Telefon' }, /columns\.phoneNumber/],
    [{ phoneNumber: 'Mobil', name: 'Nachname' }, /columns\.name/],
    [{ phoneNumber: 'Mobil', variables: { city: 'Ort' } }, /columns\.variables\.city/],
  ])('that names a column which is not there refuses the file: %j', async (columns, message) => {
    const { outcome } = await readBytes(file, { columns });
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code: 'FILE_INVALID', message: expect.stringMatching(message) },
    });
  });
});

describe('a file that is read in part', () => {
  const people = (count: number): string =>
    `phone\n${Array.from({ length: count }, (_, i) => `+1415${2_000_000 + i}`).join('\n')}\n`;

  it('is cut after so many rows, all of which are handed over', async () => {
    const { outcome, rows } = await readSome(people(30), {}, { rows: 10, ms: 60_000 });
    expect(outcome).toMatchObject({ kind: 'cut', report: { rows: 10, accepted: 10 } });
    expect(rows).toHaveLength(10);
  });

  it('is not cut when it ends with the last row that may be read', async () => {
    const { outcome } = await readSome(people(10), {}, { rows: 10, ms: 60_000 });
    expect(outcome).toMatchObject({ kind: 'imported', report: { rows: 10 } });
  });

  it('is cut when its time is over', async () => {
    const { outcome } = await readSome(people(30_000), {}, { rows: 1_000_000, ms: -1 });
    expect(outcome.kind).toBe('cut');
  });

  it('counts each reason for which a row is not called', async () => {
    const content = 'phone,note\n+14155550100,a\n+14155550100,b\n,c\nxyz,d\n+14155550199,e\n';
    const { refused } = await readBytes(content, { suppressed: ['+14155550199'] });
    expect(refused).toEqual({
      DUPLICATE: 1,
      MISSING_PHONE: 1,
      INVALID_PHONE: 1,
      SUPPRESSED: 1,
      ROW_TOO_LONG: 0,
    });
  });
});
