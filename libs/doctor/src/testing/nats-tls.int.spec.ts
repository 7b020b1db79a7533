// A real nats-server that takes encrypted connections alone, as the platform and the doctor reach it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Nats, startNats } from '@parlance/engines';
import { testCertificate } from '@parlance/fake-eventstore/testing';
import { ensureEventStream } from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { DoctorWorld } from './world.js';

const day = 86_400_000;
const directory = mkdtempSync(join(tmpdir(), 'parlance-nats-tls-'));
let world: DoctorWorld;
let [encrypted, plain]: (Nats | undefined)[] = [];

const files = (name: string, days: number) => {
  const { key, cert } = testCertificate({ until: new Date(Date.now() + days * day) });
  const [certFile, keyFile] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  return { certFile, keyFile };
};
const own = files('own', 29);
const others = files('others', 29);

const start = (name: string, tls?: { readonly certFile: string; readonly keyFile: string }): Promise<Nats> =>
  startNats({
    dataDir: join(directory, name),
    logFile: join(directory, `${name}.log`),
    cacheDir: join(process.cwd(), 'node_modules', '.cache', 'parlance'),
    token: 'a-password-of-the-test',
    ...(tls === undefined ? {} : { tls }),
  });

const urlOf = (server: Nats | undefined, caFile?: string): string =>
  `${server?.url}${caFile === undefined ? '' : `?tlsCAFile=${caFile}`}`;
const connecting = (url: string) => connectNats({ url, name: 'test', waitsForServer: false });

beforeAll(async () => {
  world = await DoctorWorld.start();
  encrypted = await start('encrypted', own);
  plain = await start('plain');
});
afterAll(async () => {
  await Promise.all([encrypted?.stop(), plain?.stop(), world?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

describe('NATS over TLS', () => {
  it('is reached with the authority that the address names, and works', async () => {
    const nats = await connecting(urlOf(encrypted, own.certFile));
    expect(nats.info?.tls_required).toBe(true);
    await ensureEventStream(nats);
    await nats.close();
  });

  it('is not reached with another authority, or with none', async () => {
    await expect(connecting(urlOf(encrypted, others.certFile))).rejects.toThrow();
    await expect(connecting(urlOf(encrypted))).rejects.toThrow();
    await expect(connecting(urlOf(encrypted).replace('nats://', 'tls://'))).rejects.toThrow();
  });

  it('is never given up for a connection in clear, where the server offers no other', async () => {
    await expect(connecting(urlOf(plain, own.certFile))).rejects.toThrow();
    const nats = await connecting(urlOf(plain));
    await nats.close();
  });

  it('is seen by the doctor, with the end of its certificate', async () => {
    const looked = async (url: string) =>
      (await world.look(['nats', 'certificates'], { variables: { NATS_URL: url } })).findings.map(
        ({ code }) => code,
      );
    expect(await looked(urlOf(encrypted, own.certFile))).toEqual([]);
    expect((await looked(urlOf(encrypted, others.certFile))).sort()).toEqual([
      'CERTIFICATE_REFUSED',
      'NATS_UNREACHABLE',
    ]);
    const short = files('short', 5);
    const server = await start('short', short);
    const nats = await connecting(urlOf(server, short.certFile));
    await ensureEventStream(nats);
    await nats.close();
    expect(await looked(urlOf(server, short.certFile))).toEqual(['CERTIFICATE_EXPIRES']);
    await server.stop();
  });
});
