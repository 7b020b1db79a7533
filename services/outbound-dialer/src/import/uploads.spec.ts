// The files that a campaign can be made of, and their keys in the storage.
import { describe, expect, it } from '@jest/globals';
import { type StoredObject, uploadLifeMs } from '@parlance/object-storage';
import { checkContentType, findUpload, uploadKey } from './uploads.js';

const now = new Date('2026-01-02T00:00:00.000Z');
const key = 'org/o1/batches/1/people.csv';
const code = (expected: string) => expect.objectContaining({ code: expected });

/** A storage with one object, which remembers the requests. */
const storageWith = (change: Partial<StoredObject> = {}) => {
  const asked: string[] = [];
  const object = { key, bytes: 10, modifiedAt: now, ...change };
  const none = () => Promise.reject(new Error('not asked for here'));
  const head = async (wanted: string) => {
    asked.push(wanted);
    return wanted === key ? object : undefined;
  };
  const list = async function* () {};
  return {
    asked,
    storage: {
      ...{
        head,
        list,
        folders: list,
        presignPut: none,
        presignGet: none,
        put: none,
        open: none,
        delete: none,
        ping: none,
      },
      close: () => undefined,
    },
  };
};

const find = (wanted: string, change: Partial<StoredObject> = {}) => {
  const { storage, asked } = storageWith(change);
  const found = findUpload(storage, { organizationId: 'o1', key: wanted }, { maxBytes: 100, now });
  return { found, asked };
};

describe('the file of a campaign', () => {
  it('is found under a key of the organization', async () => {
    expect(await find(key).found).toMatchObject({ key, bytes: 10 });
  });

  it.each([
    'org/o2/batches/1/people.csv',
    'org/o1/knowledge/1',
    'org/o1',
    'org/o1/batches/../../o2/batches/1/a.csv',
  ])('is not looked for under %s', async (wanted) => {
    const { found, asked } = find(wanted);
    await expect(found).rejects.toEqual(code('UPLOAD_NOT_FOUND'));
    expect(asked).toEqual([]);
  });

  it('is not found where nothing was uploaded', async () => {
    await expect(find('org/o1/batches/2/a.csv').found).rejects.toEqual(code('UPLOAD_NOT_FOUND'));
  });

  it('may have as many bytes as the limit says, and not one more', async () => {
    expect(await find(key, { bytes: 100 }).found).toMatchObject({ bytes: 100 });
    await expect(find(key, { bytes: 101 }).found).rejects.toEqual(code('PAYLOAD_TOO_LARGE'));
  });

  it('may be a day old, and not a moment more', async () => {
    const dayOld = new Date(now.getTime() - uploadLifeMs);
    expect(await find(key, { modifiedAt: dayOld }).found).toMatchObject({ key });
    const older = new Date(dayOld.getTime() - 1);
    await expect(find(key, { modifiedAt: older }).found).rejects.toEqual(code('UPLOAD_EXPIRED'));
  });
});

describe('the key of an upload', () => {
  it.each([
    ['people.csv', 'people.csv'],
    ['../../etc/passwd.csv', 'passwd.csv'],
    ['C:\\Users\\Ada\\People List.XLSX', 'People-List.xlsx'],
    ['läñ & "x".csv', 'la-n-x.csv'],
    ['???.csv', 'file.csv'],
    [`${'x'.repeat(250)}.csv`, `${'x'.repeat(100)}.csv`],
  ])('of %s ends in %s', (fileName, safe) => {
    expect(uploadKey('o1', 'id', fileName)).toBe(`org/o1/batches/id/${safe}`);
  });
});

describe('the content type of an upload', () => {
  it.each([
    ['a.csv', 'text/csv; charset=utf-8'],
    ['a.CSV', 'application/vnd.ms-excel'],
    ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ])('of %s may be %s', (fileName, contentType) => {
    expect(() => checkContentType(fileName, contentType)).not.toThrow();
  });

  it.each([
    ['a.csv', 'application/json'],
    ['a.xlsx', 'text/csv'],
    ['a.csv', ''],
  ])('of %s is never %s', (fileName, contentType) => {
    expect(() => checkContentType(fileName, contentType)).toThrow(code('VALIDATION_ERROR'));
  });
});
