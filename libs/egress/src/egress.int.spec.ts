// Through real sockets: canaries listen on this machine, and a request that reaches one of them is the failure.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { isTracingSuppressed } from '@opentelemetry/core';
import { Egress, type EgressOptions } from './egress.js';
import { guardedLookup } from './guarded-agent.js';
import { type Listener, listen, startCanaries } from './testing/canary.js';
import { hostileUrls } from './testing/hostile-urls.js';
import { UrlRules } from './url-rules.js';

let canaries: Listener;
const parts: { stop(): Promise<unknown> }[] = [];
beforeAll(async () => {
  canaries = await startCanaries();
});
afterAll(async () => {
  await canaries?.stop();
  await Promise.all(parts.map((part) => part.stop()));
});

const egressWith = (options: EgressOptions = {}): Egress => {
  const egress = new Egress({ connectTimeoutMs: 30_000, resolve: async () => [], ...options });
  parts.push({ stop: () => egress.close() });
  return egress;
};
/**
 * A configuration that no operator would choose: any scheme, any port. Only the addresses stand between a request and
 * the canary.
 */
const lax = { plainHttp: true, ports: 'any' } as const;

const serve = async (answer: RequestListener): Promise<Listener> => {
  const listener = await listen('127.0.0.1', answer);
  parts.push(listener);
  return listener;
};
const inside = (): Egress => egressWith({ allowPrivate: ['127.0.0.1'] });

const refusedWith = (reason: string) =>
  expect.objectContaining({ code: 'URL_NOT_ALLOWED', details: { reason } });
const failedWith = (reason: string) => expect.objectContaining({ name: 'EgressFailure', reason });

describe('nothing inside is reached', () => {
  it('by any spelling of a hostile URL', async () => {
    const egress = egressWith({ ...lax, resolve: async () => ['127.0.0.1', '::1'] });
    for (const url of hostileUrls) {
      const failure: unknown = await egress.fetch(url.replace('PORT', String(canaries.port))).catch((e) => e);
      expect([url, failure]).toEqual([url, expect.objectContaining({ code: 'URL_NOT_ALLOWED' })]);
    }
    expect(canaries.connections()).toBe(0);
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['93.184.216.34', '127.0.0.1']],
    [['169.254.169.254']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['fe80::1']],
  ])('by a public name with the addresses %s', async (addresses) => {
    const egress = egressWith({ ...lax, resolve: async () => addresses });
    const url = `http://rebinding.example.com:${canaries.port}/`;
    await expect(egress.fetch(url)).rejects.toEqual(refusedWith('address'));
    await expect(egress.fetch(url.replace('http:', 'https:'))).rejects.toEqual(refusedWith('address'));
    expect(canaries.connections()).toBe(0);
  });

  it('by a proxy that the environment names, which would connect to addresses that nobody has checked', async () => {
    const target = await serve((_request, response) => response.end('direct'));
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = `http://127.0.0.1:${canaries.port}`;
    try {
      const { body } = await inside().fetch(`http://127.0.0.1:${target.port}/`);
      expect(body.toString()).toBe('direct');
      expect(canaries.connections()).toBe(0);
    } finally {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });

  it('by a name whose address changes between the check and the connection, because it is resolved once', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const lookup = guardedLookup({
      rules: new UrlRules(),
      resolve: async () => answers[asked++] ?? [],
      connectTimeoutMs: 1,
    });
    const look = (all: boolean) =>
      new Promise((resolve) => {
        lookup('rebinding.example.com', { all }, (error, address, family) =>
          resolve(error ?? [address, family]),
        );
      });
    expect(await look(true)).toEqual([[{ address: '93.184.216.34', family: 4 }], undefined]);
    expect(asked).toBe(1);
    expect(await look(true)).toEqual(refusedWith('address'));
    expect(await look(false)).toEqual(refusedWith('address'));
  });

  it.each([301, 302, 303, 307, 308])('by a redirect with %d', async (status) => {
    const targets = [
      canaries.url,
      `http://[::1]:${canaries.port}/`,
      `http://localhost:${canaries.port}/`,
      `http://127.1:${canaries.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      `//[::ffff:127.0.0.2]:${canaries.port}/`,
      'file:///etc/passwd',
    ];
    for (const target of targets) {
      const receiver = await listen('127.0.0.3', (_request, response) => {
        response.writeHead(status, { location: target }).end();
      });
      parts.push(receiver);
      const egress = egressWith({ allowPrivate: ['127.0.0.3'] });
      const failure: unknown = await egress.fetch(receiver.url, { maxRedirects: 3 }).catch((e) => e);
      expect([target, failure]).toEqual([target, expect.objectContaining({ code: 'URL_NOT_ALLOWED' })]);
    }
    expect(canaries.connections()).toBe(0);
  });

  it('by a redirect to another port of a host that is allowed with its port', async () => {
    const receiver = await listen('127.0.0.1', (request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: canaries.url }).end();
      else response.end('inside');
    });
    parts.push(receiver);
    const egress = egressWith({ allowPrivate: [new URL(receiver.url).host] });
    expect((await egress.fetch(receiver.url)).body.toString()).toBe('inside');
    const away = egress.fetch(new URL('/away', receiver.url).href, { maxRedirects: 3 });
    await expect(away).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
    expect(canaries.connections()).toBe(0);
  });

  it('and a name without an address is told apart from a refused one', async () => {
    await expect(egressWith().fetch('https://nowhere.example.com/')).rejects.toEqual(
      failedWith('unresolved'),
    );
  });
});

describe('a request', () => {
  it('takes nothing of our traces along', async () => {
    const manager = new AsyncLocalStorageContextManager().enable();
    context.setGlobalContextManager(manager);
    const suppressed: boolean[] = [];
    // Where the instrumentation of undici begins a span and adds its headers.
    const created = (): number => suppressed.push(isTracingSuppressed(context.active()));
    subscribe('undici:request:create', created);
    try {
      const receiver = await serve((_request, response) => response.end());
      await inside().fetch(receiver.url);
      expect(suppressed).toEqual([true]);
      expect(isTracingSuppressed(context.active())).toBe(false);
    } finally {
      unsubscribe('undici:request:create', created);
      context.disable();
    }
  });
});

describe('redirects', () => {
  it('are an answer like any other unless they are asked for', async () => {
    const receiver = await serve((_request, response) => {
      response.writeHead(302, { location: canaries.url }).end('elsewhere');
    });
    await expect(inside().fetch(receiver.url)).resolves.toMatchObject({ status: 302 });
  });

  it('lose every credential on the way to another origin, and the body where the method changes', async () => {
    const seen: IncomingMessage[] = [];
    const other = await serve((request, response) => {
      seen.push(request);
      response.end('there');
    });
    const status = { value: 307 };
    const first = await serve((request, response) => {
      if (request.url === '/again') {
        seen.push(request);
        response.end('here');
      } else
        response
          .writeHead(status.value, { location: request.url === '/same' ? '/again' : `${other.url}/x` })
          .end();
    });
    const sent = {
      method: 'POST',
      headers: { authorization: 'Bearer t', 'x-api-key': 'k', cookie: 'c', 'content-type': 'text/plain' },
      body: 'hello',
      maxRedirects: 2,
    } as const;
    await inside().fetch(`${first.url}/same`, sent);
    expect(seen[0]).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer t' } });
    const answer = await inside().fetch(`${first.url}/other`, sent);
    expect(answer).toMatchObject({ status: 200, url: `${other.url}/x` });
    expect(seen[1]).toMatchObject({ method: 'POST', headers: { 'content-type': 'text/plain' } });
    for (const name of ['authorization', 'x-api-key', 'cookie'])
      expect(seen[1]?.headers).not.toHaveProperty(name);
    status.value = 303;
    await inside().fetch(`${first.url}/other`, sent);
    expect(seen[2]?.method).toBe('GET');
    expect(seen[2]?.headers).not.toHaveProperty('content-type');
  });

  it('take no header of a request with credentials to another origin, whatever its name', async () => {
    const seen: IncomingMessage[] = [];
    const answering = (to?: () => string) =>
      serve((request, response) => {
        seen.push(request);
        if (to === undefined || request.url === '/end') response.end();
        else response.writeHead(302, { location: to() }).end();
      });
    const there = await answering();
    const back = await answering(() => `${here.url}/end`);
    const here = await answering(() => (seen.length === 1 ? `${back.url}/again` : there.url));
    const headers = {
      'user-agent': 'secret',
      accept: 'secret',
      'accept-language': 'secret',
      'x-key': 'secret',
    };
    await inside().fetch(here.url, { headers, maxRedirects: 2, isCredentialed: true });
    expect(seen.map((request) => JSON.stringify(request.headers).includes('secret'))).toEqual([
      true,
      false,
      // What came from another origin is not trusted with the credentials of the first one either.
      false,
    ]);
  });

  it('end somewhere', async () => {
    let hops = 0;
    const receiver = await serve((_request, response) => {
      hops += 1;
      response.writeHead(302, { location: `/${hops}` }).end();
    });
    await expect(inside().fetch(receiver.url, { maxRedirects: 3 })).rejects.toEqual(
      failedWith('too_many_redirects'),
    );
    expect(hops).toBe(4);
  });
});

describe('budgets', () => {
  const bomb = (response: ServerResponse): void => {
    const gzip = createGzip();
    const zeros = Buffer.alloc(1_048_576);
    const pump = (): void => {
      while (!response.destroyed && gzip.write(zeros));
    };
    gzip.on('drain', pump);
    response.on('close', () => gzip.destroy());
    gzip.pipe(response);
    pump();
  };

  it('stop a decompression bomb at the limit, with little memory', async () => {
    const receiver = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      bomb(response);
    });
    const before = process.memoryUsage().rss;
    await expect(inside().fetch(receiver.url)).rejects.toEqual(failedWith('too_large'));
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1_048_576);
  });

  it('stop a body that is too large, or keep its beginning where that is enough', async () => {
    let destroyed = 0;
    const receiver = await serve((_request, response) => {
      response.on('close', () => {
        destroyed += 1;
      });
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    });
    const egress = inside();
    await expect(egress.fetch(receiver.url, { maxBytes: 100_000 })).rejects.toEqual(failedWith('too_large'));
    const cut = await egress.fetch(receiver.url, { maxBytes: 100, whenLarger: 'cut' });
    expect(cut).toMatchObject({ status: 200, isCut: true });
    expect(cut.body.toString()).toBe('x'.repeat(100));
    await egress.close();
    expect(destroyed).toBeGreaterThan(0);
  });

  it.each([
    ['headers never come', () => undefined],
    [
      'the body comes drop by drop',
      (_request: IncomingMessage, response: ServerResponse) => {
        const drip = setInterval(() => response.write('.'), 10);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('end a request when %s', async (_what, answer) => {
    const receiver = await serve(answer as RequestListener); // one of them takes no arguments
    const startedAt = Date.now();
    await expect(inside().fetch(receiver.url, { timeoutMs: 150 })).rejects.toEqual(failedWith('timeout'));
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  });

  it('end a connection that does not come about', async () => {
    const held: Socket[] = [];
    const mute = createTcpServer((socket) => held.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    parts.push({
      stop: async () => {
        for (const socket of held) socket.destroy();
        mute.close();
      },
    });
    const address = mute.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const egress = egressWith({ allowPrivate: ['127.0.0.1'], connectTimeoutMs: 100 });
    await expect(egress.fetch(`https://127.0.0.1:${port}/`)).rejects.toEqual(failedWith('timeout'));
  });

  it('end when the caller gives up, before or meanwhile', async () => {
    const receiver = await serve(() => undefined);
    const giveUp = new AbortController();
    const asked = inside().fetch(receiver.url, { signal: giveUp.signal });
    giveUp.abort();
    await expect(asked).rejects.toEqual(failedWith('aborted'));
    await expect(inside().fetch(receiver.url, { signal: AbortSignal.abort() })).rejects.toEqual(
      failedWith('aborted'),
    );
  });
});

describe('an answer', () => {
  it('is read whole, decompressed, with headers in lower case, and whatever its status', async () => {
    const receiver = await serve((request, response) => {
      if (request.url === '/plain') response.writeHead(500, { 'X-Note': ['a', 'b'] }).end('no');
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    });
    const plain = await inside().fetch(`${receiver.url}/plain`);
    expect(plain).toMatchObject({ status: 500, headers: { 'x-note': 'a, b' }, isCut: false });
    expect(plain.body.toString()).toBe('no');
    expect((await inside().fetch(receiver.url)).body.toString()).toBe('{"a":1}');
  });

  it.each([
    ['compressed in an unknown way', { 'content-encoding': 'constructor' }, 'x'],
    ['compressed twice', { 'content-encoding': 'gzip, gzip' }, 'x'],
    ['not compressed at all', { 'content-encoding': 'gzip' }, 'plain'],
    ['no brotli', { 'content-encoding': 'br' }, 'plain text'],
  ])('that is %s is a failure that repeats nothing of it', async (_what, headers, body) => {
    const receiver = await serve((_request, response) => {
      response.writeHead(200, headers).end(body);
    });
    const failure: unknown = await inside()
      .fetch(receiver.url)
      .catch((e) => e);
    expect(failure).toEqual(failedWith('bad_response'));
    expect(String(failure)).not.toContain(body);
  });

  it('that is not HTTP is a failure, and so is none', async () => {
    const receiver = await serve((request) => {
      request.socket.end('220 mail.example.com ESMTP\r\n');
    });
    await expect(inside().fetch(receiver.url)).rejects.toEqual(failedWith('bad_response'));
    await receiver.stop();
    await expect(inside().fetch(receiver.url)).rejects.toEqual(failedWith('unreachable'));
  });

  it('to TLS from somebody who speaks none is a failure of its own', async () => {
    const receiver = await serve((_request, response) => response.end());
    await expect(inside().fetch(receiver.url.replace('http:', 'https:'))).rejects.toEqual(failedWith('tls'));
  });
});

describe('an answer that is read while it comes in', () => {
  const read = async (body: AsyncIterable<Buffer>): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  it('comes with its head first, and goes on until its end', async () => {
    let finish: () => void = () => undefined;
    const receiver = await serve((_request, response) => {
      response.write('one ');
      finish = () => response.end('two');
    });
    const { status, body } = await inside().open(receiver.url, { method: 'POST', body: 'x' });
    expect(status).toBe(200);
    finish();
    expect(await read(body)).toBe('one two');
  });

  it('is a redirect where the other side answers with one, and nothing inside is asked', async () => {
    const receiver = await serve((_request, response) =>
      response.writeHead(307, { location: canaries.url }).end(),
    );
    const egress = egressWith({ allowPrivate: [new URL(receiver.url).host] });
    expect(await egress.open(receiver.url)).toMatchObject({
      status: 307,
      headers: { location: canaries.url },
    });
    await expect(egress.open(canaries.url)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
    expect(canaries.connections()).toBe(0);
  });

  it('is given up when its head does not come in time, and when the asker gives up, also in the middle', async () => {
    const receiver = await serve((request, response) => {
      if (request.url === '/begins') response.write('one ');
    });
    const egress = inside();
    await expect(egress.open(receiver.url, { headTimeoutMs: 50 })).rejects.toEqual(failedWith('timeout'));
    const asker = new AbortController();
    const { body } = await egress.open(new URL('/begins', receiver.url).href, { signal: asker.signal });
    const reading = read(body);
    asker.abort();
    await expect(reading).rejects.toThrow();
    await expect(egress.open(receiver.url, { signal: asker.signal })).rejects.toEqual(failedWith('aborted'));
  });
});
