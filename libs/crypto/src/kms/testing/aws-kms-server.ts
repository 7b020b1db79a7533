// AWS KMS on the wire, for tests: the JSON protocol with its targets, errors and signatures.
// https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Body {
  readonly KeyId?: string;
  readonly Plaintext?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

class KmsError extends Error {
  constructor(override readonly name: string) {
    super(`${name} of arn:aws:iam::123456789012:role/parlance`);
  }
}

const region = 'eu-central-1';

const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex');

/** @throws KmsError unless the holder of the secret has signed the request */
const verifySignature = (
  { headers }: IncomingMessage,
  body: string,
  secrets: ReadonlyMap<string, string>,
) => {
  const [, id = '', scope = '', signed = '', signature] =
    /Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const secret = secrets.get(id);
  if (secret === undefined) throw new KmsError('UnrecognizedClientException');
  const [date = ''] = scope.split('/');
  if (scope !== `${date}/${region}/kms/aws4_request`) throw new KmsError('InvalidSignatureException');
  const names = signed.split(';');
  const lines = names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`);
  const canonical = ['POST', '/', '', ...lines, '', signed, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date, region, 'kms', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));
  if (hmac(key, toSign).toString('hex') !== signature) throw new KmsError('InvalidSignatureException');
};

const aadOf = ({ EncryptionContext = {} }: Body): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(EncryptionContext).sort()));

export interface AwsKmsServer {
  /** Value of KMS_URL for the key. */
  readonly url: string;
  /** Statuses and names of the next answers, before the server works. */
  readonly troubles: (readonly [status: number, name: string])[];
  readonly targets: string[];
  close(): Promise<void>;
}

/**
 * @param keys aliases of the keys that it has; the first one is that of `url`
 * @param secrets secret access keys by access key id
 */
export const startAwsKms = async (
  keys: readonly string[],
  secrets: ReadonlyMap<string, string>,
): Promise<AwsKmsServer> => {
  const masters = new Map(keys.map((name) => [name, randomBytes(32)]));
  const masterOf = ({ KeyId = '' }: Body): Buffer => {
    const master = masters.get(KeyId);
    if (master === undefined) throw new KmsError('NotFoundException');
    return master;
  };
  const operations: Readonly<Record<string, (body: Body) => object>> = {
    'TrentService.Encrypt': (body) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', masterOf(body), nonce).setAAD(aadOf(body));
      const sealed = Buffer.concat([cipher.update(body.Plaintext ?? '', 'base64'), cipher.final()]);
      const blob = Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
      return { CiphertextBlob: blob, KeyId: body.KeyId, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
    },
    'TrentService.Decrypt': (body) => {
      const bytes = Buffer.from(body.CiphertextBlob ?? '', 'base64');
      const decipher = createDecipheriv('aes-256-gcm', masterOf(body), bytes.subarray(0, 12))
        .setAAD(aadOf(body))
        .setAuthTag(bytes.subarray(-16));
      try {
        const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
        return { Plaintext: plain.toString('base64'), KeyId: body.KeyId };
      } catch {
        throw new KmsError('InvalidCiphertextException');
      }
    },
  };
  const [troubles, targets]: [(readonly [number, string])[], string[]] = [[], []];

  const answerTo = async (request: IncomingMessage): Promise<readonly [number, object]> => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target']);
    targets.push(target);
    const [status, trouble] = troubles.shift() ?? [];
    if (status !== undefined) return [status, { __type: trouble }];
    try {
      if (request.headers['content-type'] !== 'application/x-amz-json-1.1')
        throw new KmsError('SerializationException');
      verifySignature(request, body, secrets);
      const operation = operations[target];
      if (operation === undefined) throw new KmsError('UnknownOperationException');
      return [200, operation(JSON.parse(body) as Body)];
    } catch (error) {
      if (!(error instanceof KmsError)) throw error;
      return [400, { __type: error.name, message: error.message }];
    }
  };
  const server = createServer((request, response) => {
    void answerTo(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `aws+http://127.0.0.1:${(server.address() as AddressInfo).port}/${keys[0]}?region=${region}`,
    troubles,
    targets,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
