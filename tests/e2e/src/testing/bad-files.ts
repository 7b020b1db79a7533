// Spreadsheets that no campaign can be made of, as data: each with the code that its campaign ends with.
import { gzipSync } from 'node:zlib';
import { inline, workbookOf } from '@parlance/fixtures/spreadsheets';

export interface BadFile {
  /** As it is called when the upload's address is asked for. */
  readonly fileName: string;
  readonly content: string | Buffer;
  /** As the campaign calls it, if otherwise. */
  readonly sourceFileName?: string;
  readonly code: 'FILE_INVALID' | 'FILE_TYPE_MISMATCH' | 'FILE_TOO_LARGE';
}

const csv = (content: string | Buffer, code: BadFile['code'] = 'FILE_INVALID'): BadFile => ({
  fileName: 'people.csv',
  content,
  code,
});
const xlsx = (content: string | Buffer, code: BadFile['code'] = 'FILE_INVALID'): BadFile => ({
  fileName: 'people.xlsx',
  content,
  code,
});

const spreadsheet = workbookOf({ sheets: [{ rows: inline(['phone_number'], ['+14155550100']) }] });
const laughs = `<!DOCTYPE lolz [<!ENTITY lol0 "lol">${Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`,
).join('')}]>`;
const bomb = `${inline(['phone_number'])}<row>${' '.repeat(60 * 1_024 * 1_024)}</row>`;
const people = 'phone_number,name\n+14155550100,Ada\n';

export const badFiles: Readonly<Record<string, () => BadFile>> = {
  'no bytes at all': () => csv(''),
  'no bytes at all, as a spreadsheet': () => xlsx(''),
  'empty lines': () => csv('\n\n\r\n'),
  'a header and no rows': () => csv('phone_number,name\n'),
  'a header and no rows, as a spreadsheet': () =>
    xlsx(workbookOf({ sheets: [{ rows: inline(['phone_number', 'name']) }] })),
  'no column of phone numbers': () => csv('name,city\nAda,London\n'),
  'rows that can all not be called': () =>
    csv('phone_number\n911\n112\n+19005550123\nCALL-ME\n\n+14155550\n'),
  'a picture': () =>
    csv(Buffer.from('89504e470d0a1a0a0000000d49484452000000010000', 'hex'), 'FILE_TYPE_MISMATCH'),
  'text called a spreadsheet': () => xlsx(people, 'FILE_TYPE_MISMATCH'),
  'a spreadsheet called text': () => csv(spreadsheet, 'FILE_TYPE_MISMATCH'),
  'text that the campaign calls a spreadsheet': () => ({
    ...csv(people, 'FILE_TYPE_MISMATCH'),
    sourceFileName: 'people.xlsx',
  }),
  'an archive in another format': () => xlsx(gzipSync(people), 'FILE_TYPE_MISMATCH'),
  'half a spreadsheet': () => xlsx(spreadsheet.subarray(0, spreadsheet.length / 2)),
  'a spreadsheet without a visible sheet': () =>
    xlsx(workbookOf({ sheets: [{ rows: inline(['phone_number'], ['+14155550100']), isHidden: true }] })),
  'a zip bomb': () => xlsx(workbookOf({ sheets: [{ rows: bomb }] })),
  'a billion laughs': () =>
    xlsx(workbookOf({ sheets: [{ rows: inline(['phone_number'], ['&lol9;']) }], prologue: laughs })),
  'a file of the machine for an entity': () =>
    xlsx(
      workbookOf({
        sheets: [{ rows: inline(['phone_number'], ['&xxe;']) }],
        prologue: '<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>',
      }),
    ),
};
