import { describe, expect, it } from '@jest/globals';
import { awsRegionOf, isKmsUrl } from './kms-url.js';

describe('KMS_URL', () => {
  it.each([
    'vault+https://vault:8200/transit/parlance',
    'vault+http://127.0.0.1:8200/team/transit/parlance',
    'aws+https://kms.eu-central-1.amazonaws.com/alias/parlance',
    'aws+https://kms-fips.us-gov-west-1.amazonaws.com/1234abcd-12ab-34cd-56ef-1234567890ab',
    'aws+https://kms.cn-north-1.amazonaws.com.cn/alias/parlance',
    'aws+https://vpce-0f1-2a.kms.eu-central-1.vpce.amazonaws.com/arn:aws:kms:eu-central-1:123456789012:key/1234abcd',
    'aws+http://127.0.0.1:4566/alias/parlance?region=eu-central-1',
  ])('may be %s', (url) => {
    expect(isKmsUrl(url)).toBe(true);
  });

  it.each([
    ['no key', 'vault+https://vault:8200/transit'],
    ['no key', 'aws+https://kms.eu-central-1.amazonaws.com/'],
    ['no region', 'aws+https://kms.example.com/alias/parlance'],
    [
      'a region of a host that only looks like AWS',
      'aws+https://kms.eu-central-1.amazonaws.com.example.com/alias/parlance',
    ],
    ['no service', 'https://vault:8200/transit/parlance'],
    ['a password', 'aws+https://id:secret@kms.eu-central-1.amazonaws.com/alias/parlance'],
  ])('is refused with %s', (_, url) => {
    expect(isKmsUrl(url)).toBe(false);
  });

  it('names the region in the host of AWS, or else in its query', () => {
    expect(awsRegionOf(new URL('https://kms.eu-central-1.amazonaws.com/key'))).toBe('eu-central-1');
    expect(awsRegionOf(new URL('http://127.0.0.1:4566/key?region=us-east-1'))).toBe('us-east-1');
  });
});
