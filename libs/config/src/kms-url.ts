// KMS_URL: the address of a key management service, and the key there that wraps the key-encryption key.

const vault = /^vault\+https?:\/\/[^/?#@\s]+(\/[\w.-]+){2,}$/;
const aws = /^aws\+https?:\/\/[^/?#@\s]+\/[\w:/.-]+(\?region=[a-z0-9-]+)?$/;

export const isAwsKms = (url: string): boolean => url.startsWith('aws+');

/** The region of an endpoint of AWS, which is part of each signature; other endpoints name it in the query. */
export const awsRegionOf = ({ hostname, searchParams }: URL): string | undefined =>
  searchParams.get('region') ??
  /(?:^|\.)kms(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?amazonaws\.com(?:\.cn)?$/.exec(hostname)?.[1];

export const kmsUrlRule =
  'vault+https://host:port/mount/key, or aws+https://kms.<region>.amazonaws.com/<key id or alias/name>';

export const isKmsUrl = (url: string): boolean =>
  vault.test(url) || (aws.test(url) && awsRegionOf(new URL(url.replace(/^aws\+/, ''))) !== undefined);
