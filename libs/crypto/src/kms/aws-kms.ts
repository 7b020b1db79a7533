// AWS Key Management Service. Its client is loaded where it is configured and nowhere else: it takes half a second.
// https://docs.aws.amazon.com/kms/latest/APIReference/API_Encrypt.html
import type { KMSClient } from '@aws-sdk/client-kms';
import { awsRegionOf, type Secret, StartRefusal } from '@parlance/config';
import {
  answerWithinMs,
  answerWithout,
  type KeyManagement,
  patiently,
  refused,
  type Wait,
} from './key-management.js';

type Sdk = typeof import('@aws-sdk/client-kms');

export interface AwsKmsOptions {
  readonly url: string;
  /** <access key id>:<secret access key>[:<session token>]; the credentials of the machine or the pod unless given. */
  readonly token?: Secret | undefined;
  readonly wait?: Wait;
}

const credentialsOf = (token: Secret | undefined) => {
  if (token === undefined) return {};
  const [accessKeyId = '', secretAccessKey = '', sessionToken] = token.reveal().split(':');
  if (accessKeyId === '' || secretAccessKey === '')
    throw new StartRefusal('For AWS, KMS_TOKEN is <access key id>:<secret access key>');
  const session = sessionToken === undefined ? {} : { sessionToken };
  return { credentials: { accessKeyId, secretAccessKey, ...session } };
};

/** Answers of which the next request may be spared. https://docs.aws.amazon.com/kms/latest/APIReference/CommonErrors.html */
const passing = new Set([
  'ThrottlingException',
  'KMSInternalException',
  'DependencyTimeoutException',
  'KeyUnavailableException',
  'ServiceUnavailable',
  'InternalFailure',
]);

/** @param options.url aws+https://kms.<region>.amazonaws.com/<key id, or alias/name> */
export const awsKms = ({ url, token, wait }: AwsKmsOptions): KeyManagement => {
  const endpoint = new URL(url.replace(/^aws\+/, ''));
  const { origin } = endpoint;
  const key = decodeURIComponent(endpoint.pathname.slice(1));
  const region = awsRegionOf(endpoint);

  const request = async <T>(
    action: 'encrypt' | 'decrypt',
    send: (client: KMSClient, sdk: Sdk) => Promise<T>,
  ): Promise<T> => {
    const sdk = await import('@aws-sdk/client-kms');
    const client = new sdk.KMSClient({
      endpoint: origin,
      ...(region === undefined ? {} : { region }),
      ...credentialsOf(token),
      maxAttempts: 1,
      requestHandler: { requestTimeout: answerWithinMs, connectionTimeout: answerWithinMs },
    });
    try {
      return await send(client, sdk);
    } catch (error) {
      if (error instanceof Error && error.name === 'CredentialsProviderError')
        throw new StartRefusal(
          'There are no credentials for the key management service of AWS: set KMS_TOKEN, or give the process a role',
        );
      if (!(error instanceof sdk.KMSServiceException)) throw error;
      const status = error.$metadata.httpStatusCode ?? 0;
      if (status >= 500 || status === 429 || passing.has(error.name))
        throw new Error(`status ${status}: ${error.name}`, { cause: error });
      // The name alone: messages name accounts and roles.
      throw refused(action, key, `status ${status}: ${error.name}`);
    } finally {
      client.destroy();
    }
  };
  const place = { place: origin, wait };
  const bound = (context: string) => ({ KeyId: key, EncryptionContext: { purpose: context } });

  return {
    wrap: async (plain, context) => {
      const { CiphertextBlob } = await patiently(
        () =>
          request('encrypt', (client, { EncryptCommand }) =>
            client.send(new EncryptCommand({ ...bound(context), Plaintext: plain })),
          ),
        place,
      );
      if (CiphertextBlob === undefined) throw answerWithout('CiphertextBlob', origin);
      return Buffer.from(CiphertextBlob).toString('base64');
    },
    unwrap: async (ciphertext, context) => {
      const { Plaintext } = await patiently(
        () =>
          request('decrypt', (client, { DecryptCommand }) =>
            client.send(
              new DecryptCommand({ ...bound(context), CiphertextBlob: Buffer.from(ciphertext, 'base64') }),
            ),
          ),
        place,
      );
      if (Plaintext === undefined) throw answerWithout('Plaintext', origin);
      return Buffer.from(Plaintext);
    },
  };
};
