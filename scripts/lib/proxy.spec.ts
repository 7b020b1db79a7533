// The proxy that npm would install through.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';

const { proxyProblem } = await import(new URL('proxy.mjs', import.meta.url).href); // plain JavaScript

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const proxyThat = async (answers: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => {
    ends.push(() => socket.destroy());
    socket.once('data', () => answers(socket));
  }).listen(0, '127.0.0.1');
  ends.push(() => server.close());
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`; // of a server that listens on TCP
};
const registry = 'https://packages.example.com/';
const problemOf = (env: object): Promise<string | undefined> =>
  proxyProblem({ npm_config_registry: registry, ...env }, 100);

describe('a proxy', () => {
  it('that answers is left to npm, whatever it answers', async () => {
    const host = await proxyThat((socket) =>
      socket.write('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    expect(await problemOf({ HTTPS_PROXY: `http://${host}` })).toBeUndefined();
    expect(await problemOf({})).toBeUndefined();
  });

  it('that says nothing, hangs up or is not there is named in one sentence, without its password', async () => {
    const silent = await proxyThat(() => undefined);
    expect(await problemOf({ https_proxy: `http://ada:secret@${silent}` })).toBe(
      `https_proxy names the proxy ${silent}, which does not answer: correct it, or unset it.`,
    );
    const rude = await proxyThat((socket) => socket.end());
    expect(await problemOf({ npm_config_proxy: `http://${rude}`, HTTPS_PROXY: 'http://127.0.0.1:2' })).toBe(
      `npm_config_proxy names the proxy ${rude}, which closes the connection without an answer: correct it, or unset it.`,
    );
    expect(await problemOf({ HTTPS_PROXY: 'http://127.0.0.1:1' })).toContain(
      'cannot be reached (ECONNREFUSED)',
    );
    expect(await problemOf({ HTTPS_PROXY: 'proxy' })).toContain('HTTPS_PROXY is no address');
  });

  it('that npm does not use for its registry is not asked', async () => {
    const away = 'http://127.0.0.1:1';
    for (const env of [
      { HTTP_PROXY: away },
      { HTTPS_PROXY: away, NO_PROXY: 'localhost, .example.com' },
      { HTTPS_PROXY: away, npm_config_registry: 'http://packages.example.com/' },
    ])
      expect(await problemOf(env)).toBeUndefined();
  });
});
