// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Compose writes its variables so
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { configurationPage } from './configuration-page.js';
import { processes } from './processes.js';
import { checkTelephony } from './telephony.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const telephony = readFileSync(join(root, 'deploy/compose/telephony.yml'), 'utf8');

const check = (text: string): readonly string[] =>
  checkTelephony({
    compose,
    telephony: text,
    configuration: configurationPage([compose, telephony]).content,
    processes,
  });

describe('deploy/compose/telephony.yml', () => {
  it('passes its own check', () => {
    expect(check(telephony)).toEqual([]);
  });

  it.each([
    ['changes a service that is not there', '  redis:\n', '  radis:\n', 'has not: radis'],
    [
      'leaves docker-compose.yml behind',
      'cluster_id: inbound',
      'cluster_id: other',
      'configures sip-inbound unlike',
    ],
    [
      'hides the address',
      'nat_1_to_1_ip: ${NODE_IP:?',
      'nat_1_to_1_ip: ${NODE_IP:-',
      'does not tell sip the address',
    ],
    ['looks for health elsewhere', '/127.0.0.1/8082 ', '/127.0.0.1/8083 ', 'health of sip-inbound than 8082'],
    [
      'has two listeners on a port',
      'sip_port: 5070',
      'sip_port: 5060',
      'one port of the machine to two listeners',
    ],
    [
      'has few ports',
      'rtp_port: 10000-11999',
      'rtp_port: 10000-10199',
      'fewer calls of sip than one dialer makes, which is 520',
    ],
    [
      'has ranges that overlap',
      'rtp_port: 10000-11999',
      'rtp_port: 10000-12001',
      'ranges of media ports overlap',
    ],
    ['opens Redis to the world', "'127.0.0.1:${REDIS_PORT", "'${REDIS_PORT", 'beyond loopback'],
    [
      'takes a variable without words',
      '${LIVEKIT_PORT:-7880}',
      '${LIVEKIT_DOOR:-7880}',
      'takes LIVEKIT_DOOR',
    ],
  ])('is refused when it %s', (_, find, replacement, problem) => {
    const text = telephony.replace(find, replacement);
    expect(text).not.toBe(telephony);
    expect(check(text).join('\n')).toContain(problem);
  });
});
