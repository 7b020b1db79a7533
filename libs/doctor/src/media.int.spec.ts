// The ports for sound: the doctor hears its own datagrams where they arrive, and says so where they do not.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { media } from './checks/media.js';
import { diagnose } from './diagnosis/diagnose.js';

/** An address that no network may lead to (RFC 5737). */
const nowhere = '192.0.2.1';
const ports = '41000-41099';

const look = (variables: Readonly<Record<string, string>>) =>
  diagnose({ places: [{ process: 'sip', variables }], checks: [media] });

const codes = async (variables: Readonly<Record<string, string>>) =>
  (await look(variables)).findings.map(({ code }) => code);

describe('ports for sound', () => {
  it('are well where datagrams to the address arrive', async () => {
    const report = await look({ NODE_IP: '127.0.0.1', RTP_PORTS: ports });
    expect(report.findings).toEqual([]);
    expect(JSON.stringify(report)).toContain('Datagrams to 127.0.0.1 arrive at the ports');
  });

  it('are tried beside the port of a call', async () => {
    const call = createSocket('udp4');
    const listening = once(call, 'listening');
    call.bind(0);
    await listening;
    const { port } = call.address();
    try {
      expect(await codes({ NODE_IP: '127.0.0.1', RTP_PORTS: `${port}-${port}` })).toEqual([]);
    } finally {
      call.close();
    }
  });

  it('are found closed where datagrams to the address do not arrive', async () => {
    const { findings } = await look({ NODE_IP: nowhere, RTP_PORTS: ports });
    expect(findings).toMatchObject([{ code: 'RTP_PORTS_CLOSED', subject: expect.stringContaining(nowhere) }]);
    expect(findings[0]?.advice).toMatch(/Let UDP through .* NODE_IP/);
  });
});

describe('the address that providers are told', () => {
  it('is found private where the platform is public', async () => {
    const variables = { NODE_IP: '127.0.0.1', RTP_PORTS: ports, PUBLIC_URL: 'https://8.8.8.8' };
    const { findings } = await look(variables);
    expect(findings).toMatchObject([{ code: 'NODE_IP_PRIVATE', subject: 'NODE_IP 127.0.0.1' }]);
    expect(findings[0]?.advice).toMatch(/public address of this machine into NODE_IP/);
  });

  it.each([
    ['RTP_PORTS', '13999-10000'],
    ['RTP_PORTS', '10000'],
    ['RTP_PORTS', '10000-70000'],
    ['NODE_IP', 'example.com'],
  ])('is judged only when %s is well written, which %s is not', async (name, value) => {
    const variables = { NODE_IP: '127.0.0.1', RTP_PORTS: ports, [name]: value };
    expect(await codes(variables)).toEqual(['MEDIA_SETTINGS_INVALID']);
  });
});
