// Permissions: signed requests, and URLs that are signed for another client to use.
import {
  GetObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceTarget, clientAt, conformanceTarget, fetched, put, textOf } from './support.js';

let target: ConformanceTarget;
/** Signs URLs for bodies that it does not see, so it cannot put their checksums in. */
let signer: S3Client;
beforeAll(async () => {
  target = await conformanceTarget();
  signer = clientAt(target.account, { requestChecksumCalculation: 'WHEN_REQUIRED' });
  await put(target.client, target.bucket, 'there', 'what is there');
});
afterAll(async () => {
  signer.destroy();
  await target.close();
});

const read = (client: S3Client) => textOf(client, target.bucket, 'there');

describe('a signed request', () => {
  it('of a key that nobody has is InvalidAccessKeyId', async () => {
    const stranger = clientAt({ ...target.account, accessKeyId: 'AKIASTRANGER' });
    await expect(read(stranger)).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
      $metadata: { httpStatusCode: 403 },
    });
  });

  it('with another secret is SignatureDoesNotMatch, and does nothing', async () => {
    const forger = clientAt({ ...target.account, secretAccessKey: 'not the secret' });
    const mismatch = { name: 'SignatureDoesNotMatch', $metadata: { httpStatusCode: 403 } };
    await expect(read(forger)).rejects.toMatchObject(mismatch);
    await expect(put(forger, target.bucket, 'there', 'forged')).rejects.toMatchObject(mismatch);
    expect(await read(target.client)).toBe('what is there');
  });

  it('that was changed on its way is SignatureDoesNotMatch', async () => {
    const changing = clientAt(target.account);
    changing.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { query: Record<string, string> }; // the library's own type says unknown
        request.query = { ...request.query, 'response-content-type': 'text/html' };
        return next(args);
      },
      // Behind the signing.
      { step: 'deserialize', priority: 'low' },
    );
    await expect(read(changing)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  });

  it('of a clock that is an hour wrong is RequestTimeTooSkewed', async () => {
    const late = clientAt(target.account, { systemClockOffset: -3_600_000 });
    await expect(read(late)).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' });
  });

  it('is what it takes', async () => {
    const { url } = target.account;
    expect(await fetched(`${url}/${target.bucket}/there`)).toMatchObject({
      status: 403,
      code: 'AccessDenied',
    });
  });
});

describe('a URL signed for reading', () => {
  const command = (more = {}) => new GetObjectCommand({ Bucket: target.bucket, Key: 'there', ...more });

  it('gives the object, or a part of it', async () => {
    const url = await getSignedUrl(signer, command());
    expect(await fetched(url)).toMatchObject({ status: 200, text: 'what is there' });
    expect(await fetched(url, { headers: { range: 'bytes=0-3' } })).toMatchObject({
      status: 206,
      text: 'what',
    });
  });

  it('decides how a browser takes it', async () => {
    const ResponseContentDisposition = 'attachment; filename="report.csv"';
    const url = await getSignedUrl(
      signer,
      command({ ResponseContentDisposition, ResponseContentType: 'text/csv' }),
    );
    const { headers } = await fetched(url);
    expect(headers.get('content-disposition')).toBe(ResponseContentDisposition);
    expect(headers.get('content-type')).toBe('text/csv');
  });

  it('is refused after its time', async () => {
    const signingDate = new Date(Date.now() - 120_000);
    const url = (expiresIn: number) => getSignedUrl(signer, command(), { signingDate, expiresIn });
    expect(await fetched(await url(60))).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(await fetched(await url(600))).toMatchObject({ status: 200 });
  });

  it.each([
    ['another key', (url: string) => url.replace('/there', '/elsewhere'), 'SignatureDoesNotMatch'],
    ['a longer life', (url: string) => url.replace('Expires=900', 'Expires=9000'), 'SignatureDoesNotMatch'],
    [
      'another signature',
      (url: string) => url.replace(/Signature=\w{8}/, 'Signature=00000000'),
      'SignatureDoesNotMatch',
    ],
    [
      'one parameter more',
      (url: string) => `${url}&response-content-type=text%2Fhtml`,
      'SignatureDoesNotMatch',
    ],
    [
      'another owner',
      (url: string) => url.replace(/Credential=[^%]+/, 'Credential=nobody'),
      'InvalidAccessKeyId',
    ],
  ])('is refused when it is changed to have %s', async (_, change, code) => {
    const url = await getSignedUrl(signer, command());
    expect(change(url)).not.toBe(url);
    expect(await fetched(change(url))).toMatchObject({ status: 403, code });
  });

  it('is for nothing but reading', async () => {
    const url = await getSignedUrl(signer, command());
    for (const method of ['PUT', 'DELETE'])
      expect(await fetched(url, { method, body: method === 'PUT' ? 'x' : null })).toMatchObject({
        status: 403,
        code: 'SignatureDoesNotMatch',
      });
    expect(await read(target.client)).toBe('what is there');
  });
});

describe('a URL signed for writing', () => {
  const body = 'phoneNumber\n+15550100\n';
  /** The library signs a length that it is given, and a type when it is told to. */
  const url = (more: Partial<PutObjectCommandInput> = {}) =>
    getSignedUrl(signer, new PutObjectCommand({ Bucket: target.bucket, Key: 'uploaded', ...more }), {
      signableHeaders: new Set(more.ContentType === undefined ? [] : ['content-type']),
    });
  const upload = async (to: string, sent: string, type?: string) =>
    fetched(to, {
      method: 'PUT',
      body: Buffer.from(sent),
      headers: type === undefined ? {} : { 'content-type': type },
    });
  const refused = { status: 403, code: 'SignatureDoesNotMatch' };

  it('takes an object of any type when none was signed', async () => {
    expect(await upload(await url(), body, 'text/csv')).toMatchObject({ status: 200 });
    expect(await textOf(target.client, target.bucket, 'uploaded')).toBe(body);
  });

  it('takes the content type that was signed and no other', async () => {
    const signed = await url({ ContentType: 'text/csv' });
    expect(await upload(signed, body, 'text/html')).toMatchObject(refused);
    expect(await upload(signed, body)).toMatchObject(refused);
    expect(await upload(signed, body, 'text/csv')).toMatchObject({ status: 200 });
  });

  it('takes the content length that was signed and no other', async () => {
    const signed = await url({ ContentLength: body.length });
    expect(await upload(signed, `${body}more`)).toMatchObject(refused);
    expect(await upload(signed, body.slice(1))).toMatchObject(refused);
    expect(await upload(signed, body)).toMatchObject({ status: 200 });
  });

  it('keeps the metadata that was signed', async () => {
    const signed = await url({ Metadata: { organization: 'org-1' }, ContentType: 'text/csv' });
    expect(await upload(signed, body, 'text/csv')).toMatchObject({ status: 200 });
    const found = await target.client.send(new GetObjectCommand({ Bucket: target.bucket, Key: 'uploaded' }));
    expect(found).toMatchObject({ Metadata: { organization: 'org-1' }, ContentType: 'text/csv' });
    await found.Body?.transformToString();
  });

  it('does not take headers that were not signed and would change what is stored', async () => {
    const init = { method: 'PUT', body, headers: { 'x-amz-meta-organization': 'another' } };
    // With 403 at AWS, with 400 at MinIO.
    expect(await fetched(await url(), init)).toMatchObject({ code: 'AccessDenied' });
  });

  it('is for nothing but writing', async () => {
    expect(await fetched(await url())).toMatchObject(refused);
  });
});
