// Listings of a bucket: its objects in order, page by page, folded at a delimiter; and listings of buckets themselves.
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceTarget, conformanceTarget, put } from './support.js';

/** In the order of their bytes, which is not that of JavaScript: the emoji has the larger ones. */
const keys = [
  'Z',
  'a/1',
  'a/2',
  'a/b/3',
  'a/b/4',
  'a0',
  'c d/5',
  'c d/6',
  'e',
  'z/7',
  '\u{ff5e}',
  '\u{1f600}',
];

let target: ConformanceTarget;
beforeAll(async () => {
  target = await conformanceTarget();
  await Promise.all([...keys].reverse().map((key) => put(target.client, target.bucket, key)));
});
afterAll(() => target.close());

const list = async (query: Partial<ListObjectsV2CommandInput> = {}) => {
  const page = await target.client.send(new ListObjectsV2Command({ Bucket: target.bucket, ...query }));
  return {
    page,
    next: page.NextContinuationToken,
    keys: (page.Contents ?? []).map(({ Key }) => Key),
    prefixes: (page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
  };
};

/** Every page of a listing. */
const pages = async (query: Partial<ListObjectsV2CommandInput>) => {
  const all = [await list(query)];
  for (let next = all[0]?.next; next !== undefined; next = all.at(-1)?.next)
    all.push(await list({ ...query, ContinuationToken: next }));
  return all;
};

describe('a listing', () => {
  it('has every object in the order of its bytes, with size, time and ETag', async () => {
    const { page, keys: listed } = await list();
    expect(listed).toEqual(keys);
    expect(page).toMatchObject({ IsTruncated: false, KeyCount: keys.length, MaxKeys: 1000 });
    expect(page.Contents?.[1]).toMatchObject({
      Size: 3,
      ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      LastModified: expect.any(Date),
    });
  });

  it('has what begins with a prefix', async () => {
    expect((await list({ Prefix: 'a/' })).keys).toEqual(['a/1', 'a/2', 'a/b/3', 'a/b/4']);
    expect((await list({ Prefix: 'nothing' })).page).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });

  it('folds what is behind a delimiter', async () => {
    const all = await list({ Delimiter: '/' });
    expect(all.keys).toEqual(keys.filter((key) => !key.includes('/')));
    expect(all.prefixes).toEqual(['a/', 'c d/', 'z/']);
    const inside = await list({ Delimiter: '/', Prefix: 'a/' });
    expect([inside.keys, inside.prefixes]).toEqual([['a/1', 'a/2'], ['a/b/']]);
  });

  it.each([1, 2, 3, 5, 100])('in pages of %d has everything once', async (MaxKeys) => {
    const all = await pages({ MaxKeys });
    expect(all.flatMap((one) => one.keys)).toEqual(keys);
    expect(all.slice(0, -1).every(({ page }) => page.IsTruncated && page.KeyCount === MaxKeys)).toBe(true);
    const folded = await pages({ MaxKeys, Delimiter: '/' });
    expect(folded.flatMap((one) => one.prefixes)).toEqual(['a/', 'c d/', 'z/']);
    expect(folded.flatMap((one) => one.keys)).toEqual(keys.filter((key) => !key.includes('/')));
    expect(Math.max(...folded.map((one) => one.keys.length + one.prefixes.length))).toBeLessThanOrEqual(
      MaxKeys,
    );
  });

  it('begins behind a key, which need not exist', async () => {
    expect((await list({ StartAfter: 'a/b/4' })).keys).toEqual(keys.slice(5));
    expect((await list({ StartAfter: 'b' })).keys).toEqual(keys.slice(6));
  });

  it('can be encoded for what XML cannot hold', async () => {
    const { page, keys: listed } = await list({ EncodingType: 'url', Prefix: 'c ' });
    expect(page.EncodingType).toBe('url');
    expect(listed.map((key) => decodeURIComponent((key ?? '').replaceAll('+', ' ')))).toEqual([
      'c d/5',
      'c d/6',
    ]);
    expect(listed[0]).not.toContain(' ');
  });

  it('refuses a continuation that it did not give', async () => {
    await expect(list({ ContinuationToken: '%%%' })).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it('of a bucket that is not there is NoSuchBucket', async () => {
    await expect(list({ Bucket: `${target.bucket}-not` })).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });
});

describe('a bucket', () => {
  it('is there from its making to its deletion, and is not deleted while it has objects', async () => {
    const { client } = target;
    const Bucket = `${target.bucket}-2`;
    await expect(client.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'NotFound' });
    await client.send(new CreateBucketCommand({ Bucket }));
    await client.send(new HeadBucketCommand({ Bucket }));
    const { Buckets } = await client.send(new ListBucketsCommand());
    expect(Buckets?.map(({ Name }) => Name)).toEqual(expect.arrayContaining([Bucket, target.bucket]));
    await client.send(new DeleteBucketCommand({ Bucket }));
    await expect(client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
    await expect(client.send(new DeleteBucketCommand({ Bucket: target.bucket }))).rejects.toMatchObject({
      name: 'BucketNotEmpty',
    });
  });

  it('of a name that cannot be is refused', async () => {
    const made = target.client.send(new CreateBucketCommand({ Bucket: 'Not_A_Bucket' }));
    await expect(made).rejects.toMatchObject({ name: 'InvalidBucketName' });
  });
});
